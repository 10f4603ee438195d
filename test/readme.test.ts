/** The README's examples do what they show, and its tables are those of the data they come from. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedSections } from '../scripts/readme-sections.ts';
import { temporaryFolder } from './helpers/world.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** A command as a person types it, and what it prints. */
interface Example {
  readonly command: string;
  readonly output: string;
}

function examples(): Example[] {
  const blocks = [...readme.matchAll(/```console\n(.*?)```/gs)].map((found) => found[1]!);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        // A command goes on as long as its lines end with a backslash.
        const [, command, output] = /^((?:[^\n]*\\\n)*[^\n]*)\n?(.*)$/s.exec(part)!;
        return { command: command!, output: output!.trimEnd() };
      }),
  );
}

/** Durations, dates and ids differ from run to run. */
const masked = (text: string): string =>
  text
    .replace(/\d{4}-\d{2}-\d{2}/g, 'DATE')
    .replace(/\d+(\.\d+)? ms/g, 'N ms')
    .replace(/\(\d+\.\d s, \d+ a second\)/g, '(N s)')
    .replace(/"durationMs": ?[\d.]+/g, '"durationMs":N');

const hasJq = spawnSync('jq', ['--version']).status === 0;

describe('the README', async () => {
  for (const { command, output } of examples()) {
    it.skipIf(command.includes('jq') && !hasJq)(`example: ${command.split('\n')[0]}`, () => {
      const scratch = temporaryFolder('hookrun-readme-');
      try {
        const home = join(scratch.path, 'dev');
        const bin = join(scratch.path, 'bin');
        cpSync(join(root, 'fixtures/readme'), home, { recursive: true });
        mkdirSync(bin);
        symlinkSync(join(root, 'bin/hookrun.cjs'), join(bin, 'hookrun'));
        const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: home, LANG: 'C.UTF-8' };
        const run = spawnSync('sh', ['-c', `exec 2>&1; ${command}\necho "exit code $?"`], {
          cwd: join(home, 'notes'),
          env,
          input: '',
          encoding: 'utf8',
        });
        const printed = run.stdout.trimEnd().replaceAll(home, '/home/dev');
        const code = /^exit code \d+$/m.test(output) ? printed : printed.replace(/\n?exit code \d+$/, '');
        expect(masked(code)).toBe(masked(output));
      } finally {
        scratch.remove();
      }
    });
  }

  for (const [name, text] of Object.entries(await generatedSections())) {
    it(`section ${name} is up to date (npm run readme)`, () => {
      expect(readme).toContain(`<!-- ${name} -->\n${text}\n<!-- /${name} -->`);
    });
  }
});
