/**
 * Rust's own regex crate as WebAssembly (rregex), which is what goose matches with. Loaded at the first pattern that is not plain, and
 * synchronously: compiling the module takes some milliseconds and nothing else could go on meanwhile.
 *
 * rregex's own glue code opens its file while it is imported, which neither a bundle nor a standalone executable can give it, so the three
 * functions that are needed are called here directly.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { cpuMs } from '../../clock.ts';

/** Whether a pattern is found in a text, by Rust's rules. */
export type RustAnswer =
  | { readonly kind: 'match' }
  | { readonly kind: 'no match' }
  | { readonly kind: 'too-slow' }
  | { readonly kind: 'invalid'; readonly why: string };

/** A pattern longer than this, in characters, is not tried: compiling is not bounded by the engine's own limits. */
const longestPattern = 16_384;
/** Nor is a text longer than this, in characters: the engine is linear, but with a large pattern some hundred ns a character. */
const longestText = 4 * 1024 * 1024;

/** How much slower than alone a search may be on a busy machine before it is interrupted. */
const busyFactor = 4;

/** With less time than this, in ms, nothing is begun. */
const shortest = 1;

/** How much time is left, in ms of the processor; the engine takes from it. Loading the engine is not counted. */
export interface Allowance {
  /** For compiling: a pattern just under the engine's limit of 10 MB takes some 300 ms, and one over it as long. */
  compiling: number;
  searching: number;
}

/**
 * Tests as goose does: unanchored. Never throws, and stops when the allowance is used up, be it in the middle of the search. With a text
 * of undefined only the pattern is looked at, and `match` means that it is valid.
 */
export function testRust(pattern: string, text: string | undefined, left: Allowance): RustAnswer {
  if (pattern.length > longestPattern || (text?.length ?? 0) > longestText) return { kind: 'too-slow' };
  // Before the engine is loaded, which takes some milliseconds itself.
  if (left.compiling < shortest || (text !== undefined && left.searching < shortest)) return { kind: 'too-slow' };
  try {
    engine ??= loadEngine();
    const { compile, isMatch, free } = engine;
    const compiled = within('compiling', left, () => compile(pattern));
    if (typeof compiled !== 'number') return compiled;
    const found = text === undefined || within('searching', left, () => isMatch(compiled, text));
    free(compiled);
    return { kind: found ? 'match' : 'no match' };
  } catch (error) {
    // Interrupted, or out of memory or stack inside: what state it is in is not known, so the next pattern gets a new one.
    engine = undefined;
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError || isTimeout(error))
      return { kind: 'too-slow' };
    throw error;
  }
}

// --- internal ---

interface Engine {
  /** The handle of a pattern, or why it is none. */
  compile(pattern: string): number | Extract<RustAnswer, { kind: 'invalid' }>;
  isMatch(compiled: number, text: string): boolean;
  free(compiled: number): void;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly __wbindgen_export_2: WebAssembly.Table;
  __wbindgen_start(): void;
  __wbindgen_malloc(size: number, align: number): number;
  __externref_table_dealloc(index: number): void;
  rregex_new(pointer: number, length: number): [pattern: number, error: number, failed: number];
  rregex_isMatch(pattern: number, pointer: number, length: number): number;
  __wbg_rregex_free(pattern: number, zero: number): void;
}

let engine: Engine | undefined;
let code: WebAssembly.Module | undefined;
let room: { work: () => unknown } | undefined;

const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** node:vm is what can interrupt WebAssembly that is running. The function it calls is this file's own. */
function within<T>(purpose: keyof Allowance, left: Allowance, work: () => T): T {
  room ??= createContext({ work }) as { work: () => unknown };
  room.work = work;
  const began = cpuMs();
  try {
    // What counts is the time of the processor; the watchdog only knows that of the clock, and on a busy machine the two differ.
    return runInContext('work()', room, { timeout: Math.ceil(left[purpose]) * busyFactor }) as T;
  } finally {
    left[purpose] -= cpuMs() - began;
  }
}

/** Beside the bundle or the executable, else in the package. */
function readCode(): Buffer {
  const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
  for (const folder of [here, dirname(here)]) {
    try {
      return readFileSync(join(folder, 'rregex.wasm'));
    } catch {
      // Then the next place.
    }
  }
  return readFileSync(join(dirname(createRequire(import.meta.url).resolve('rregex')), 'rregex.wasm'));
}

function loadEngine(): Engine {
  code ??= new WebAssembly.Module(readCode());
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const decode = (pointer: number, length: number): string =>
    decoder.decode(new Uint8Array(wasm.memory.buffer, pointer >>> 0, length));
  const known: Readonly<Record<string, (...args: number[]) => unknown>> = {
    __wbindgen_string_new: (pointer, length) => decode(pointer!, length!),
    __wbindgen_error_new: (pointer, length) => new Error(decode(pointer!, length!)),
    __wbindgen_throw: (pointer, length) => {
      throw new RangeError(decode(pointer!, length!));
    },
    __wbindgen_init_externref_table() {
      // The glue's contract: four values at the end of the table, and undefined in its first place.
      const table = wasm.__wbindgen_export_2;
      const at = table.grow(4);
      table.set(0, undefined);
      for (const [index, value] of [undefined, null, true, false].entries()) table.set(at + index, value);
    },
  };
  const imports: WebAssembly.Imports = {};
  for (const { module, name } of WebAssembly.Module.imports(code)) {
    imports[module] ??= {};
    imports[module][name] =
      known[name] ??
      (() => {
        throw new RangeError(`${name} is not there`);
      });
  }
  const wasm = new WebAssembly.Instance(code, imports).exports as unknown as Exports;
  wasm.__wbindgen_start();

  const put = (text: string): [pointer: number, length: number] => {
    const bytes = encoder.encode(text);
    const pointer = wasm.__wbindgen_malloc(bytes.length, 1) >>> 0;
    new Uint8Array(wasm.memory.buffer, pointer, bytes.length).set(bytes);
    return [pointer, bytes.length];
  };
  return {
    compile(pattern) {
      const [made, error, failed] = wasm.rregex_new(...put(pattern));
      if (failed === 0) return made >>> 0;
      const found: unknown = wasm.__wbindgen_export_2.get(error);
      wasm.__externref_table_dealloc(error);
      return { kind: 'invalid', why: inShort(found instanceof Error ? found.message : String(found)) };
    },
    isMatch: (compiled, text) => wasm.rregex_isMatch(compiled, ...put(text)) !== 0,
    free: (compiled) => wasm.__wbg_rregex_free(compiled, 0),
  };
}

/** The engine draws the pattern with marks below it; its last line says what is wrong. */
const inShort = (message: string): string =>
  (message.trim().split('\n').at(-1) ?? message).replace(/^error: /, '').slice(0, 200);
