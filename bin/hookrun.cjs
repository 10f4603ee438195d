#!/usr/bin/env node
// Starts the program, dist/program.cjs, with the code that V8 made of it in an earlier run: compiling takes node longer than all that a run then
// does. Node's own compile cache keeps only what was compiled when a file was loaded, not what was when it ran, and before 22.8 there is none.
//
// Plain JavaScript in one file, since every file and every module costs on every start; the rest is in src/code-cache.ts.
'use strict';
const { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const dist = join(__dirname, '../dist');
const file = join(dist, 'program.cjs');
// ASCII, which V8 reads faster when it is told so.
const source = orEnd(() => readFileSync(file, 'latin1'));

/** Ends every file that was written whole. */
const mark = '\nhookrun code\n';
/**
 * Beside the record of trusted folders, not below ~/.cache, where sandboxes of agents let programs write: whoever can write what is kept here decides
 * what hookrun does. No relative folder: that would be the current one's, and what lies there may be a stranger's.
 */
const {
  XDG_STATE_HOME: state = '',
  HOME: home = '',
  NODE_OPTIONS: options = '',
  NODE_DISABLE_COMPILE_CACHE: off = '',
} = process.env;
const base = state.startsWith('/') ? state : home.startsWith('/') ? join(home, '.local/state') : undefined;
const node = thisNode();
const isOff = off !== '' || base === undefined || node === undefined || isBrought(base);
const folder = isOff ? undefined : join(base, 'hookrun', 'code');
/**
 * One file for each program (its first line says which it is), node, and set of flags: V8 rejects what was compiled with other flags, and another build
 * of the same version of node may not be asked whether it would.
 */
const prefix = `code-${process.version}-${process.arch}-`;
const name = `${prefix}${source.slice(2, 18)}-${node}-${sumOf(`${[options, ...process.execArgv]}`)}`;

/** Whether a folder is the current one's own, which may be a stranger's; one that has the home folder in it is not. */
function isBrought(path) {
  try {
    const here = `${process.cwd()}/`;
    const real = statSync(path, { throwIfNoEntry: false }) === undefined ? join(path) : realpathSync.native(path);
    return `${real}/`.startsWith(here) && !`${home}/`.startsWith(here);
  } catch {
    return true;
  }
}

/** Which node this is, more exactly than by its version; undefined where that can't be found out. */
function thisNode() {
  try {
    const { size, mtimeMs } = statSync(process.execPath);
    return `${size}-${Math.trunc(mtimeMs)}`;
  } catch {
    return undefined;
  }
}

/** A short sum of a text, to tell a few from each other. */
function sumOf(text) {
  let sum = 5381;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 33 + text.charCodeAt(at)) >>> 0;
  return sum.toString(16);
}

/** What there is, or the end where it is not the whole program: for those who asked that nothing gets past a failure, as a denial. */
function orEnd(work) {
  try {
    return work();
  } catch (error) {
    const message = `hookrun is not built: ${error.message} (in its folder: npm ci && npm run build)`;
    const { HOOKRUN_OUTPUT: output, HOOKRUN_ON_FAILURE: onFailure } = process.env;
    const says = (value) => process.argv.some((word) => new RegExp(`^(?:--[a-z-]+=|-[nqv]*o)?${value}$`).test(word));
    const isHook = output === 'hook' || says('hook');
    const denies = isHook || onFailure === 'block' || says('block');
    const result = { schemaVersion: 1, decision: null, error: { code: 'bug', exit: 1, message } };
    const denial = { ...result, decision: 'deny', reason: message, cause: 'hook_failure' };
    process.stderr.write(`hookrun: ${message}\n`);
    if (!isHook) process.stdout.write(`${JSON.stringify(denies ? denial : result)}\n`);
    process.exit(denies ? 2 : 1);
  }
}

/** What is kept there, if it is this user's own and nobody else's to write. */
function readCode() {
  if (folder === undefined) return undefined;
  let fd;
  try {
    fd = openSync(
      join(folder, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
    const stats = fstatSync(fd);
    // As it is written here, which is not how git checks anything out.
    if (!stats.isFile() || stats.uid !== process.geteuid() || (stats.mode & 0o777) !== 0o600) return undefined;
    const bytes = readFileSync(fd);
    const end = bytes.length - mark.length;
    if (bytes.toString('latin1', end) !== mark) return undefined;
    const start = bytes.lastIndexOf('\n', end - 1);
    // V8 takes what it is given for its own, and crashes on a bit that has turned. So all of it is there twice: no sum is as fast as comparing.
    const data = bytes.subarray(0, start / 2);
    if (!data.equals(bytes.subarray(start / 2, start))) return undefined;
    return { data, uses: bytes.toString('latin1', start + 1, end).split(' ') };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const code = readCode();
const requireHere = (id) => require(id.startsWith('.') ? join(dist, id) : id);
const { script, run } = orEnd(() => {
  const script = new Script(source, { filename: file, cachedData: code?.data });
  const program = { exports: {} };
  script.runInThisContext()(program.exports, requireHere, program, file, dist);
  return { script, run: program.exports.run };
});
const uses = script.cachedDataRejected === false ? code.uses : [];
run(process.argv.slice(2), { folder, prefix, name, mark, uses, made: () => script.createCachedData() });
