import { differences } from '../src/differences.ts';
import * as formats from '../src/formats/index.ts';
import { type SettingKey, settingRows, variableOf } from '../src/own-settings/keys.ts';
import type { Words } from '../src/problems.ts';
import { stageWords } from '../src/words.ts';

/** The parts of the README that are made from data, by the name of the marks around them. */
export async function generatedSections(): Promise<Record<string, string>> {
  return { differences: differencesSection(), settings: settingsSection(), codes: await codesSection() };
}

/** Every setting of hookrun's own, with who may set it. */
function settingsSection(): string {
  const lines = Object.entries(settingRows).map(([key, { where, noVariable, expected, project }]) => {
    const variable = noVariable ? '' : `\`${variableOf(key as SettingKey)}\``;
    return `| ${where === 'file' ? `\`${key}\`` : ''} | ${variable} | ${cell(expected)} | ${project ?? ''} |`;
  });
  return ['| key | variable | value | a project may set |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

function differencesSection(): string {
  return Object.values(formats)
    .map(({ name, title }) => {
      const rows = differences.filter((row) => row.format === name);
      const lines = rows.map((row) => `| ${cell(row.engine)} | ${cell(row.hookrun)} | \`${row.id}\` |`);
      return [`**${title}**`, '', '| the engine | hookrun | row |', '| --- | --- | --- |', ...lines].join('\n');
    })
    .join('\n\n');
}

/** Every catalogue of sentences, with what stands above its table. */
async function codesSection(): Promise<string> {
  const catalogues: [title: string, words: Words][] = [['hookrun itself', stageWords]];
  for (const entry of Object.values(formats)) catalogues.push([entry.title, (await entry.load()).words]);
  return catalogues
    .map(([title, words]) => {
      const lines = Object.entries(words).map(([code, sentence]) => `| \`${code}\` | ${cell(spoken(sentence))} |`);
      return [`**${title}**`, '', '| code | says |', '| --- | --- |', ...lines].join('\n');
    })
    .join('\n\n');
}

/** A sentence with an ellipsis wherever it names something. */
function spoken(sentence: (...args: never[]) => string): string {
  const args = Array.from({ length: Math.max(sentence.length, 4) }, () => '…' as never);
  return sentence(...args)
    .replaceAll('NaN', '…')
    .replaceAll('"…"', '…');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
