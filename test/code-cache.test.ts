/** The file in which the npm build keeps compiled code: it makes runs faster, never different. */

import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentIn, program, start } from './helpers/executable.ts';
import { type Scene, withScene } from './helpers/live-hooks.ts';

const isNpmBuild = program.length > 1;

const folderIn = (scene: Scene): string => join(scene.home, '.local/state/hookrun/code');
const filesIn = (scene: Scene): string[] => (existsSync(folderIn(scene)) ? readdirSync(folderIn(scene)).sort() : []);
/** The one file that is kept. */
function keptIn(scene: Scene): string {
  const [name, ...others] = filesIn(scene);
  expect(others).toEqual([]);
  return join(folderIn(scene), name!);
}
/** What a file says that it holds code for. */
const usesOf = (file: string): string[] => readFileSync(file, 'latin1').split('\n').at(-3)!.split(' ').sort();

const call = (scene: Scene, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  start([...program, ...args], scene, { stdin: scene.payload, env }).ended;

async function denies(scene: Scene, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { code, stdout, stderr } = await call(scene, ['--trust', '-q'], env);
  expect(documentIn(stdout)).toMatchObject({ decision: 'deny', reason: 'not this' });
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
}

const withGuard = (use: (scene: Scene) => Promise<void>): Promise<void> =>
  withScene(async (scene) => {
    scene.configure([{ name: 'guard', script: `deny 'not this'` }]);
    await use(scene);
  });

describe.skipIf(!isNpmBuild)('compiled code', () => {
  it('is kept by the first run, for this user alone, and used by the next', () =>
    withGuard(async (scene) => {
      await denies(scene);
      const file = keptIn(scene);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(folderIn(scene)).mode & 0o777).toBe(0o700);
      expect(usesOf(file)).toEqual(['exit-2', 'gemini', 'run', 'start']);
      const { ino } = statSync(file);
      await denies(scene);
      expect(statSync(keptIn(scene)).ino).toBe(ino);
    }));

  it('is added to by a run that needs more, and kept by none that did nothing', () =>
    withGuard(async (scene) => {
      await call(scene, ['--version']);
      await call(scene, ['--help']);
      await call(scene, ['stream', '--trust', '-q']);
      expect(filesIn(scene)).toEqual([]);
      await call(scene, ['--trust', '--dry-run']);
      expect(usesOf(keptIn(scene))).toEqual(['exit-0', 'gemini', 'run']);
      await denies(scene);
      expect(usesOf(keptIn(scene))).toEqual(['exit-0', 'exit-2', 'gemini', 'run', 'start']);
    }));

  it.each<[what: string, damage: (file: string) => void]>([
    ['cut off', (file) => truncateSync(file, 1000)],
    ['empty', (file) => truncateSync(file, 0)],
    ['something else', (file) => writeFileSync(file, 'something else')],
    ['something else that ends as it should', (file) => writeFileSync(file, 'junkjunk\nrun gemini\nhookrun code\n')],
    [
      'damaged by a bit',
      (file) => {
        const bytes = readFileSync(file);
        bytes[20_000]! ^= 4;
        writeFileSync(file, bytes);
      },
    ],
    ['writable by others', (file) => chmodSync(file, 0o666)],
  ])('that is %s is not used, and replaced', (_what, damage) =>
    withGuard(async (scene) => {
      await denies(scene);
      const file = keptIn(scene);
      const { size, ino } = statSync(file);
      damage(file);
      await denies(scene);
      const now = statSync(keptIn(scene));
      expect(now.ino).not.toBe(ino);
      expect(now.mode & 0o777).toBe(0o600);
      expect(now.size / size).toBeCloseTo(1, 1);
    }),
  );

  it('is not read or written through a link', () =>
    withGuard(async (scene) => {
      await denies(scene);
      const file = keptIn(scene);
      const elsewhere = join(scene.notes, 'elsewhere');
      writeFileSync(elsewhere, readFileSync(file));
      const before = readFileSync(elsewhere);
      const link = join(folderIn(scene), 'link');
      symlinkSync(elsewhere, link);
      renameSync(link, file);
      await denies(scene);
      expect(lstatSync(file).isFile()).toBe(true);
      expect(readFileSync(elsewhere).equals(before)).toBe(true);
    }));

  it('is neither read nor kept below the current folder, which may be a stranger’s, unless that has the home folder in it', () =>
    withGuard(async (scene) => {
      await denies(scene, { XDG_STATE_HOME: join(scene.project, '.state') });
      expect(existsSync(join(scene.project, '.state'))).toBe(false);
      const link = join(scene.notes, 'link');
      symlinkSync(scene.project, link);
      for (const base of [scene.project, `/${scene.project}`, link]) {
        await denies(scene, { XDG_STATE_HOME: base });
        expect(existsSync(join(scene.project, 'hookrun'))).toBe(false);
      }
      const { code } = await start([...program, '--trust', '-q', '--project', scene.project], scene, {
        stdin: scene.payload,
        cwd: scene.home,
      }).ended;
      expect(code).toBe(2);
      expect(filesIn(scene)).toHaveLength(1);
    }));

  it('is not kept through a link in place of its folder', () =>
    withGuard(async (scene) => {
      const elsewhere = join(scene.notes, 'elsewhere');
      mkdirSync(elsewhere);
      mkdirSync(dirname(folderIn(scene)), { recursive: true });
      symlinkSync(elsewhere, folderIn(scene));
      await denies(scene);
      expect(readdirSync(elsewhere)).toEqual([]);
    }));

  it.skipIf(process.geteuid?.() !== 0)('makes no folder in the home of another user', () =>
    withGuard(async (scene) => {
      chownSync(scene.home, 65_534, 65_534);
      await denies(scene);
      expect(existsSync(join(scene.home, '.local'))).toBe(false);
    }),
  );

  it('that was left unfinished is cleared away after a while', () =>
    withGuard(async (scene) => {
      await call(scene, ['--trust', '--dry-run']);
      const [name] = filesIn(scene);
      const leftover = (ms: number): string => `${name}.${ms}.1.new`;
      for (const age of [1000, 120_000]) {
        const path = join(folderIn(scene), leftover(age));
        writeFileSync(path, '');
        const at = new Date(Date.now() - age);
        utimesSync(path, at, at);
      }
      await denies(scene);
      expect(filesIn(scene)).toEqual([name, leftover(1000)]);
    }));

  it('of another version of hookrun goes, that for another node stays', () =>
    withGuard(async (scene) => {
      await denies(scene);
      const name = filesIn(scene)[0]!;
      const older = name.replace(/-[0-9a-f]{16}-/, '-0123456789abcdef-');
      const otherNode = name.replace(process.version, 'v1.2.3');
      for (const other of [older, otherNode]) writeFileSync(join(folderIn(scene), other), '');
      chmodSync(join(folderIn(scene), name), 0o666);
      await denies(scene);
      expect(filesIn(scene)).toEqual([name, otherNode].sort());
    }));

  it('is kept nowhere where it is not wanted, or where there is no place for it', () =>
    withGuard(async (scene) => {
      await denies(scene, { NODE_DISABLE_COMPILE_CACHE: '1' });
      await denies(scene, { XDG_STATE_HOME: 'relative', HOME: scene.home, NODE_DISABLE_COMPILE_CACHE: '1' });
      expect(filesIn(scene)).toEqual([]);
      const file = join(scene.notes, 'file');
      writeFileSync(file, '');
      await denies(scene, { XDG_STATE_HOME: file });
      // A folder that says of its inside that it is not there.
      if (existsSync('/proc/self')) await denies(scene, { XDG_STATE_HOME: '/proc/self' });
      expect(filesIn(scene)).toEqual([]);
      await denies(scene, { XDG_STATE_HOME: 'relative', HOME: 'also-relative' });
      expect(existsSync(join(scene.project, 'relative'))).toBe(false);
      expect(existsSync(join(scene.project, 'also-relative'))).toBe(false);
    }));

  it('of one set of flags does not stand for another', () =>
    withGuard(async (scene) => {
      await denies(scene);
      await denies(scene, { NODE_OPTIONS: '--stack-trace-limit=20' });
      expect(filesIn(scene)).toHaveLength(2);
      await denies(scene);
      await denies(scene, { NODE_OPTIONS: '--stack-trace-limit=20' });
      expect(filesIn(scene)).toHaveLength(2);
    }));
});
