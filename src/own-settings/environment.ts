import type { Env } from '../types.ts';
import { type OwnSettings, type SettingKey, settingRows, variableOf } from './keys.ts';

/** A variable whose value is none that its setting may have. */
export interface VariableFault {
  readonly variable: string;
  readonly value: string;
  readonly expected: string;
}

/** What the environment says, as a settings file would; a list is separated by commas, and an empty value is none. */
export async function settingsOfEnvironment(
  env: Env,
  formats: readonly string[],
): Promise<{ readonly settings: OwnSettings; readonly faults: readonly VariableFault[] }> {
  // Most people set none, and to put the names together takes longer than this look.
  if (!Object.keys(env).some((name) => name.startsWith('HOOKRUN_'))) return { settings: {}, faults: [] };
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(settingRows) as SettingKey[]) {
    const text = settingRows[key].noVariable ? '' : (env[variableOf(key)] ?? '').trim();
    if (text !== '') values[key] = valueFrom(key, text);
  }
  if (Object.keys(values).length === 0) return { settings: {}, faults: [] };
  const { checkSettings } = await import('./check.ts');
  const { settings, faults } = checkSettings(values, formats, false);
  return {
    settings,
    faults: faults.map((fault) => {
      const variable = variableOf(fault.key as SettingKey);
      const expected = fault.kind === 'value' ? fault.expected : '';
      return { variable, value: env[variable] ?? '', expected };
    }),
  };
}

function valueFrom(key: SettingKey, text: string): unknown {
  const isOn = text === '1' || text === 'true';
  switch (settingRows[key].raw) {
    case 'switch':
      return isOn || text === '0' || text === 'false' ? isOn : text;
    case 'number':
      return key === 'stopCap' && text === 'true' ? true : /^\d{1,9}$/.test(text) ? Number(text) : text;
    case 'list':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    case 'text':
      return text;
  }
}
