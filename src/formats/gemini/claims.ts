import { toJson } from '../../to-json.ts';
import type { ProjectClaims, ProjectHook, ProjectSwitch, Where } from '../format.ts';
import { readExtensions } from './extensions.ts';
import { asText } from './judge.ts';
import type { SettingsFile } from './settings.ts';
import type { Switches } from './switches.ts';

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys of a project's settings that change what runs, besides `hooks` (switches.ts reads them). */
const switchKeys = [
  ['hooksConfig'],
  ['admin', 'extensions'],
  ['security', 'blockGitExtensions'],
  ['security', 'allowedExtensions'],
  ['security', 'environmentVariableRedaction'],
  ['general', 'plan', 'directory'],
] as const;

/**
 * What a project's settings file holds that decides what runs: all raw, so neither `$VAR` nor anything else of the environment is in it.
 * Whatever stands below `hooks` is listed, whether the engine would run it or not.
 */
export function claimsOf(file: SettingsFile, where: Where): ProjectClaims {
  const { value, path } = file;
  const switches = switchKeys.flatMap((keys): ProjectSwitch[] => {
    let at: unknown = value;
    for (const key of keys) at = isJson(at) ? at[key] : undefined;
    return at === undefined ? [] : [{ name: keys.join('.'), value: at }];
  });
  const hooks = value['hooks'];
  if (hooks === undefined || hooks === null) return { hooks: [], switches };
  if (!isJson(hooks)) return { hooks: [], switches: [...switches, { name: 'hooks', value: hooks }] };
  return { hooks: Object.entries(hooks).flatMap(([event, list]) => hooksOf(event, list, path, where)), switches };
}

function hooksOf(event: string, list: unknown, path: string, where: Where): ProjectHook[] {
  const base = (key: string, content: unknown): ProjectHook => ({
    event,
    name: key,
    command: '',
    path,
    key,
    content,
    ...placeOf(where),
  });
  const at = `hooks.${event}`;
  // A single object counts as a list of one (rule 46).
  const definitions = Array.isArray(list) ? list.map((one, index) => [one, `${at}[${index}]`]) : [[list, at]];
  return definitions.flatMap(([definition, key]): ProjectHook[] => {
    if (!isJson(definition) || !Array.isArray(definition['hooks'])) return [base(key as string, definition)];
    const { hooks: entries, ...rest } = definition;
    return (entries as unknown[]).map((entry, index) => {
      const hook = base(`${key}.hooks[${index}]`, { definition: rest, entry });
      return isJson(entry) ? { ...hook, ...headOf(entry, rest['matcher'], hook.name) } : hook;
    });
  });
}

function headOf(entry: Json, matcher: unknown, key: string): Pick<ProjectHook, 'name' | 'command' | 'matcher' | 'env'> {
  const { command: raw, env } = entry;
  const command = raw === undefined ? '' : typeof raw === 'string' ? raw : toJson(raw);
  const values = isJson(env) ? Object.entries(env).map(([name, value]) => [name, asText(value)]) : [];
  return {
    name: (entry['name'] ? asText(entry['name']) : '') || command || key,
    command,
    ...(typeof matcher === 'string' ? { matcher } : {}),
    ...(values.length === 0 ? {} : { env: Object.fromEntries(values) }),
  };
}

/** The variables stand for the payload's folder, which is the project unless the caller says otherwise (rule 56). */
const placeOf = ({ project }: Where): Pick<ProjectHook, 'folders' | 'cwd'> => ({
  folders: { GEMINI_PROJECT_DIR: project, GEMINI_CWD: project, CLAUDE_PROJECT_DIR: project, PWD: project },
  cwd: project,
});

/**
 * What the project's `.env` says about settings that the user's extensions declare: it goes into the environment of their hooks. The
 * one claim that depends on what the user has installed; without such an extension the file says nothing, and is not looked at.
 */
export function dotEnvClaims(where: Where, on: Switches): ProjectSwitch[] {
  const read = (withProject: boolean) => readExtensions(where, on.extensions, withProject).extensions;
  const own = new Map(read(false).map(({ name, env }) => [name, env]));
  return read(true).flatMap(({ name, env }) =>
    Object.entries(env).flatMap(([variable, value]): ProjectSwitch[] =>
      own.get(name)?.[variable] === value
        ? []
        : [{ name: `.env ${variable} for the extension ${name}`, value, hidden: true }],
    ),
  );
}
