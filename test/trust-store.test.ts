/** The record of trusted folders on disk: who may be believed, and what a crash leaves behind. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diskFs } from '../src/file-system.ts';
import type { FingerprintParts } from '../src/fingerprint.ts';
import { diskTrustFile, stateFolder } from '../src/state.ts';
import { changeTrustStore, readTrustStore, storeText, type TrustRecord } from '../src/trust-store.ts';
import { until } from './helpers/live-hooks.ts';
import { temporaryFolder } from './helpers/world.ts';

const parts: FingerprintParts = { scheme: 1, format: 'gemini', hooks: [], switches: [], files: [], settings: [] };
const record = (path: string, more: Partial<TrustRecord> = {}): TrustRecord => ({
  path,
  format: 'gemini',
  decision: 'trusted',
  fingerprint: 'a'.repeat(64),
  parts,
  date: '2026-01-02T03:04:05.678Z',
  hookrun: '0.1.0',
  ...more,
});

let scratch: ReturnType<typeof temporaryFolder>;
let folder: string;
let path: string;
beforeEach(() => {
  scratch = temporaryFolder('hookrun-store-');
  folder = join(scratch.path, 'state', 'hookrun');
  path = join(folder, 'trust.json');
});
afterEach(() => scratch.remove());

const file = () => diskTrustFile(folder);
const read = (project?: string, home?: string) => readTrustStore(file(), diskFs, project, home);
const put = (text: string, mode = 0o600): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
  chmodSync(path, mode);
};

describe('a store', () => {
  it('that is not there is empty', () => expect(read()).toEqual([]));

  it('keeps what it is given, one record a folder and format, for its owner alone', async () => {
    await changeTrustStore(file(), diskFs, [record('/b'), record('/a')]);
    await changeTrustStore(file(), diskFs, [record('/b', { decision: 'denied' }), record('/b', { format: 'goose' })]);
    expect(read().map(({ path: at, format, decision }) => [at, format, decision])).toEqual([
      ['/a', 'gemini', 'trusted'],
      ['/b', 'gemini', 'denied'],
      ['/b', 'goose', 'trusted'],
    ]);
    await changeTrustStore(file(), diskFs, [], [{ path: '/b', format: 'gemini' }]);
    expect(read().map(({ path: at, format }) => [at, format])).toEqual([
      ['/a', 'gemini'],
      ['/b', 'goose'],
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(['trust.json']);
  });

  it('has its folder closed to others, should it be open', async () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    await changeTrustStore(file(), diskFs, [record('/a')]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('lies where XDG_STATE_HOME says, if that is absolute', () => {
    expect(stateFolder({ XDG_STATE_HOME: '/x' }, '/home/a')).toBe('/x/hookrun');
    for (const relative of ['x', '', './x'])
      expect(stateFolder({ XDG_STATE_HOME: relative }, '/home/a')).toBe('/home/a/.local/state/hookrun');
  });
});

const good = storeText([record('/a')]);
const recordWith = (more: object): string => JSON.stringify({ version: 1, folders: [{ ...record('/a'), ...more }] });

describe('a store that can not be believed is an error, and stays as it is:', () => {
  const rows: [what: string, make: () => void, why: RegExp][] = [
    ['empty', () => put(''), /not valid JSON/],
    ['cut off', () => put(good.slice(0, -20)), /not valid JSON/],
    ['no object', () => put('[]'), /no object/],
    ['another version', () => put('{"version":2,"folders":[]}'), /version 2/],
    ['no list', () => put('{"version":1,"folders":{}}'), /no list/],
    ['a record without a path', () => put(recordWith({ path: undefined })), /folders\[0\]/],
    ['an unknown decision', () => put(recordWith({ decision: 'maybe' })), /folders\[0\]/],
    ['trusted without a fingerprint', () => put(recordWith({ fingerprint: undefined })), /folders\[0\]/],
    ['a fingerprint that is none', () => put(recordWith({ fingerprint: '1' })), /folders\[0\]/],
    ['trusted without its parts', () => put(recordWith({ parts: {} })), /folders\[0\]/],
    [
      'two records for one folder',
      () => put(JSON.stringify({ version: 1, folders: [record('/a'), record('/a', { decision: 'denied' })] })),
      /two records/,
    ],
    ['writable by the group', () => put(good, 0o620), /written by others/],
    ['writable by all', () => put(good, 0o602), /written by others/],
    [
      'in a folder that others can write',
      () => {
        put(good);
        chmodSync(folder, 0o770);
      },
      /folder can be written by others/,
    ],
    [
      'a link that leads nowhere',
      () => {
        mkdirSync(folder, { recursive: true });
        symlinkSync('nowhere', path);
      },
      /leads nowhere/,
    ],
    ['a folder', () => mkdirSync(path, { recursive: true }), /folder|regular file/],
    [
      'a FIFO',
      () => {
        mkdirSync(folder, { recursive: true });
        spawnSync('mkfifo', ['-m', '600', path]);
      },
      /regular file/,
    ],
    [
      'a huge file',
      () => {
        put(good);
        truncateSync(path, 1024 ** 3);
      },
      /larger than/,
    ],
  ];
  it.each(rows)('%s', async (_what, make, why) => {
    make();
    const before = diskFs.info(path)?.size;
    const error = expect.objectContaining({
      kind: 'input-file',
      problem: expect.objectContaining({ code: 'trust-store', path, message: expect.stringMatching(why) }),
    });
    expect(() => read()).toThrow(error);
    if (!/folder can be written/.test(String(why))) {
      await expect(changeTrustStore(file(), diskFs, [record('/new')])).rejects.toEqual(error);
      expect(diskFs.info(path)?.size).toBe(before);
    }
  });

  it.skipIf(process.getuid?.() !== 0)("somebody else's", () => {
    put(good);
    chownSync(path, 4711, 4711);
    expect(() => read()).toThrow(/belongs to somebody else/);
    chownSync(path, 0, 0);
    chownSync(folder, 4711, 4711);
    expect(() => read()).toThrow(/folder belongs to somebody else/);
  });

  it('inside the project that it speaks for, unless that is all of the home folder', () => {
    put(good);
    const project = join(scratch.path, 'state');
    expect(() => read(project, '/home/other')).toThrow(/inside the project/);
    expect(read(scratch.path, scratch.path)).toHaveLength(1);
    expect(read('/work/app', scratch.path)).toHaveLength(1);
  });
});

it('a store that can not be written says so', async () => {
  mkdirSync(join(scratch.path, 'state'), { recursive: true });
  writeFileSync(folder, 'a file in the way');
  await expect(changeTrustStore(file(), diskFs, [record('/a')])).rejects.toMatchObject({
    kind: 'input-file',
    problem: { code: 'trust-store-unwritable', path },
  });
});

describe('its lock', () => {
  const lock = () => `${path}.lock`;
  const holder = (more: object) => JSON.stringify({ pid: 1, start: '', host: hostname(), token: 'x1', ...more });
  const dead = (): number => spawnSync('true').pid;

  it.each<[what: string, text: () => string]>([
    ['of a process that died', () => holder({ pid: dead() })],
    ['of a process whose number belongs to another now', () => holder({ pid: process.pid, start: '1' })],
  ])('%s is broken', async (_what, text) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(lock(), text());
    await changeTrustStore(file(), diskFs, [record('/a')]);
    expect(readdirSync(folder)).toEqual(['trust.json']);
  });

  it('is broken although somebody died while breaking it', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(lock(), holder({ pid: dead(), token: 'first' }));
    writeFileSync(`${lock()}.first.broken`, holder({ pid: dead(), token: 'second' }));
    await changeTrustStore(file(), diskFs, [record('/a')]);
    expect(readdirSync(folder)).toEqual(['trust.json']);
  });

  it.each<[what: string, more: object]>([
    ['a living process', { pid: process.ppid }],
    ['another machine', { host: 'elsewhere', pid: 4711 }],
  ])('of %s is waited for', async (_what, more) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(lock(), holder(more));
    let done = false;
    const writing = changeTrustStore(file(), diskFs, [record('/a')]).then(() => {
      done = true;
    });
    // Looked at several times, and still not taken.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(done).toBe(false);
    expect(existsSync(path)).toBe(false);
    rmSync(lock());
    await writing;
    expect(read()).toHaveLength(1);
  });

  it('that is none stops the writer', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(lock(), 'junk');
    await expect(changeTrustStore(file(), diskFs, [record('/a')])).rejects.toThrow(/is no lock of hookrun/);
  });
});

describe('many processes', () => {
  let writer: string;
  let built: ReturnType<typeof temporaryFolder>;
  beforeAll(async () => {
    built = temporaryFolder('hookrun-writer-');
    writer = join(built.path, 'writer.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'helpers/trust-writer.ts')],
      outfile: writer,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
  });
  afterAll(() => built.remove());

  interface Writer {
    readonly name: string;
    readonly child: ChildProcess;
    readonly ended: Promise<number | null>;
    /** The last of its writes that it says is done. */
    done(): number;
  }
  function start(name: string, times: number): Writer {
    const child = spawn(process.execPath, [writer, folder, name, `${times}`], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { name, child, ended, done: () => Number(said.trimEnd().split('\n').at(-1)) };
  }
  const countOf = (name: string): number => Number(read().find((one) => one.path === `/writers/${name}`)?.date ?? 0);

  it('50 at once: all 50 are recorded', async () => {
    const writers = Array.from({ length: 50 }, (_, index) => start(`${index}`, 1));
    for (const one of writers) expect(await one.ended).toBe(0);
    expect(read()).toHaveLength(50);
    expect(readdirSync(folder)).toEqual(['trust.json']);
  });

  it('200 killed in the middle of writing: never a damaged file, and nothing lost that was said to be written', async () => {
    let next = 0;
    let inTheMiddle = 0;
    for (let round = 0; round < 25; round += 1) {
      const writers = Array.from({ length: 8 }, () => start(`${next++}`, 1_000_000));
      const killed = writers.map(async (one) => {
        await until(() => one.done() > 0, `the first write of ${one.name}`);
        one.child.kill('SIGKILL');
      });
      await Promise.all(killed);
      for (const one of writers) expect(await one.ended).toBe(null);
      inTheMiddle += existsSync(`${path}.lock`) ? 1 : 0;
      for (const one of writers) expect(countOf(one.name)).toBeGreaterThanOrEqual(one.done());
    }
    expect(next).toBe(200);
    // Else the kills came at the wrong moments and this shows nothing.
    expect(inTheMiddle).toBeGreaterThan(0);
    await changeTrustStore(file(), diskFs, [record('/after')]);
    expect(read()).toHaveLength(201);
    expect(JSON.parse(readFileSync(path, 'utf8')).version).toBe(1);
  }, 120_000);
});
