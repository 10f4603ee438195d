import { differences } from '../src/differences.ts';
import * as formats from '../src/formats/index.ts';

/** The parts of the README that are made from data, by the name of the marks around them. */
export function generatedSections(): Record<string, string> {
  return { differences: differencesSection() };
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

const cell = (text: string): string => text.replaceAll('|', '\\|');
