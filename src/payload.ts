import { resolve } from 'node:path';
import { HookrunError } from './errors.ts';
import { ReadError } from './file-system.ts';
import type { Format, FormatEntry, PayloadFlags } from './formats/format.ts';
import { compact, getText, setAt } from './json-text.ts';
import { holdsTooMuch, mostValues } from './payload-bounds.ts';
import { Misfit } from './shape.ts';
import type { HookEvent } from './types.ts';
import { eventUnknown, say } from './words.ts';
import type { World } from './world.ts';

/** The largest payload that is taken, in bytes (as the protocol of the result promises). */
export const payloadLimit = 64 * 1024 * 1024;

/** A payload as it came: compact JSON text that holds an object. */
export interface RawPayload {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Where it came from, for messages. */
  readonly from: string;
  /** False when it was made up from flags alone. */
  readonly given: boolean;
}

/** Where the payload comes from, and what flags say about it. */
export interface PayloadSource {
  /** A file, `-` for stdin, or undefined for stdin where that is no terminal. */
  readonly file: string | undefined;
  readonly flags: PayloadFlags;
  /** `--set`: path of keys, JSON text. */
  readonly set: readonly (readonly [path: readonly string[], json: string])[];
}

const megabytes = payloadLimit / 1024 / 1024;

/**
 * Reads the payload, once. Without one, flags that name an event are enough. Throws `HookrunError`: `usage` when there is
 * nothing to read, `payload` when it is no JSON object, `input-file` when the file can't be read.
 */
export async function readPayload(source: PayloadSource, world: World): Promise<RawPayload> {
  const { bytes, from } = await readBytes(source, world);
  return rawPayload(bytes, from, source);
}

/** What some bytes hold as a payload. Throws as `readPayload` does. */
export async function rawPayload(bytes: Buffer, from: string, source: PayloadSource): Promise<RawPayload> {
  const text = decode(bytes, from);
  if (text.trim() === '') {
    if (source.flags.event !== undefined) return { text: '{}', value: {}, from: 'flags', given: false };
    throw new HookrunError('payload', say('payload-empty', { path: from }), exampleOfUse);
  }
  const value = await parseGiven(text, from);
  return { text: compact(text), value, from, given: true };
}

const exampleOfUse = `for example: hookrun --format gemini --event BeforeTool --tool write_file --tool-input '{"file_path":"a.txt"}' --dry-run`;

async function readBytes(source: PayloadSource, world: World): Promise<{ bytes: Buffer; from: string }> {
  if (source.file !== undefined && source.file !== '-') {
    try {
      return { bytes: world.fs.read(resolve(world.cwd, source.file), payloadLimit), from: source.file };
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      if (error.kind === 'too-large')
        throw new HookrunError('payload', say('payload-too-large', { path: source.file }, megabytes));
      throw new HookrunError('input-file', say('file-unreadable', { path: source.file }, error.message));
    }
  }
  if (source.file === undefined && world.stdin.isTTY) {
    if (source.flags.event !== undefined) return { bytes: Buffer.alloc(0), from: 'flags' };
    throw new HookrunError('usage', say('payload-none', {}), exampleOfUse);
  }
  try {
    return { bytes: await world.stdin.read(payloadLimit), from: 'stdin' };
  } catch (error) {
    if (error instanceof RangeError)
      throw new HookrunError('payload', say('payload-too-large', { path: 'stdin' }, megabytes));
    if (error instanceof HookrunError) throw error;
    throw new HookrunError('input-file', say('file-unreadable', { path: 'stdin' }, (error as Error).message));
  }
}

function decode(bytes: Buffer, from: string): string {
  const text = bytes.toString('utf8');
  // Only bytes that are not UTF-8 grow or shrink on the way back; a U+FFFD that really stands there does not.
  if (text.includes('\uFFFD') && !Buffer.from(text).equals(bytes)) {
    const back = Buffer.from(text);
    let at = 0;
    while (at < bytes.length && back[at] === bytes[at]) at += 1;
    throw new HookrunError('payload', say('payload-not-utf8', { path: from }, at));
  }
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

async function parseGiven(text: string, from: string): Promise<Record<string, unknown>> {
  if (holdsTooMuch(text)) throw new HookrunError('payload', say('payload-too-much', { path: from }, mostValues));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { whyNotJson } = await import('./json-errors.ts');
    const { why, ...place } = whyNotJson(text, false);
    throw new HookrunError('payload', say('payload-not-json', { path: from, ...place }, why));
  }
  return asObject(value, from);
}

function asObject(value: unknown, from: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HookrunError('payload', say('payload-not-object', { path: from }, describe(value)));
  return value as Record<string, unknown>;
}

/** A field of the payload that is not what it should be. */
export interface PayloadField {
  /** `llm_request.messages[0].role` */
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

/** The error for a field of a wrong type: a format found it at the door. */
export const payloadError = ({ at, expected, found }: PayloadField): HookrunError =>
  new HookrunError('payload', say('payload-field', { key: at }, at, expected, found));

/** What a JSON value is, for messages: `an array`, `the string "abc"`, `null`. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value.length > 40 ? 'a string' : `the string ${JSON.stringify(value)}`;
  return `the ${typeof value} ${String(value)}`;
}

/**
 * The event that hooks get: flags override the JSON, missing base fields are filled in as the agent would, everything else
 * stays to the byte. Throws `HookrunError` (`usage` without an event's name, `payload` for a wrong type).
 */
export async function buildEvent(
  raw: RawPayload,
  source: PayloadSource,
  format: Format,
  entry: FormatEntry,
  world: World,
): Promise<HookEvent> {
  const { fields } = format;
  let text = raw.text;
  const edit = (edits: Iterable<readonly [readonly string[], string]>): void => {
    for (const [path, json] of edits) {
      try {
        text = setAt(text, path, json);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new HookrunError('usage', say('payload-path', {}, path.join('.'), error.message));
      }
    }
  };
  const { event } = source.flags;
  if (event !== undefined && !entry.events.includes(event)) {
    throw new HookrunError('usage', eventUnknown({ key: '--event' }, event, entry));
  }
  const given = fields.edits(source.flags, raw.value);
  const filling = {
    cwd: source.flags.cwd ?? world.cwd,
    uuid: world.uuid,
    now: () => world.now().toISOString(),
  };
  edit(given);
  edit(source.set);
  let value = text === raw.text ? raw.value : asObject(JSON.parse(text), raw.from);
  const name = value[entry.eventField];
  if (name === undefined || name === '')
    throw new HookrunError('usage', say('event-missing', { path: raw.from }, entry.eventField), exampleOfUse);
  const filled = fields.fill(value, filling);
  if (filled.length > 0) {
    edit(filled);
    value = asObject(JSON.parse(text), raw.from);
  }
  if (!raw.given) {
    // Nobody's bytes to keep: put the base fields where the agent has them.
    const rest = Object.keys(value).filter((key) => !fields.order.includes(key));
    const keys = [...fields.order.filter((key) => Object.hasOwn(value, key)), ...rest];
    text = `{${keys.map((key) => `${JSON.stringify(key)}:${getText(text, [key])}`).join(',')}}`;
  }
  try {
    return format.readEvent(value, text);
  } catch (error) {
    throw error instanceof Misfit ? (await import('./misfit.ts')).misfitError(error) : error;
  }
}
