import { describe } from '../../payload.ts';
import type { Place, Problem } from '../../problems.ts';
import { toJson } from '../../to-json.ts';
import type { Off, Source } from '../../types.ts';
import type { GeminiDetail, GeminiHook } from './detail.ts';
import { expandStrings } from './expand.ts';
import type { Extension } from './extensions.ts';
import { asNumber, asText } from './judge.ts';
import { isOddEntry, isOddMatcher, lintDefinition, lintEntry } from './lint.ts';
import type { At, Lines, Placed, SettingsFile } from './settings.ts';
import type { Switches } from './switches.ts';
import { say } from './words.ts';

type Json = Readonly<Record<string, unknown>>;

/** A `hooks` object and where it came from: a settings file or an extension. */
export interface HookSource {
  readonly scope: string;
  readonly path: string;
  readonly hooks: unknown;
  readonly lines: Lines;
  readonly expand: (text: string) => string;
  readonly extension?: GeminiDetail['extension'];
}

export const sourceOfFile = (file: SettingsFile, expand: HookSource['expand']): HookSource => ({
  scope: file.scope,
  path: file.path,
  hooks: file.value['hooks'],
  lines: file.lines,
  expand,
});

export const sourceOfExtension = (extension: Extension): HookSource => ({
  scope: 'extension',
  path: extension.hooksPath,
  hooks: extension.hooks,
  lines: extension.lines,
  // `${name}` in every string, by its plain value; the command alone is left for the start, where it can be quoted.
  expand: (text) =>
    text.replace(/\$\{([^{}]+)\}/g, (whole, name: string) =>
      Object.hasOwn(extension.variables, name) ? extension.variables[name]! : whole,
    ),
  extension: { variables: extension.variables, env: extension.env },
});

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The default of `timeout`, also for null (rule 8), and the longest that a timer takes; both in ms. */
const defaultTimeoutMs = 60_000;
const longestTimerMs = 2 ** 31 - 1;

/**
 * The hooks of one event in one source, in file order, each either ready or `off` with its reason; pure. What the engine discards
 * silently is named in the problems (rules 43 to 47, 54).
 */
export function readHooks(
  source: HookSource,
  event: string,
  switches: Switches,
): { hooks: GeminiHook[]; problems: Problem[] } {
  const hooks: GeminiHook[] = [];
  const problems: Problem[] = [];
  if (source.hooks === undefined || source.hooks === null) return { hooks, problems };
  if (!isJson(source.hooks)) {
    problems.push(say('gemini-hooks-not-object', { path: source.path, key: 'hooks' }, describe(source.hooks)));
    return { hooks, problems };
  }
  if (!Object.hasOwn(source.hooks, event)) return { hooks, problems };
  const value = source.hooks[event];
  // The merge of the scopes wraps a single object into a list; anything else that is no list falls away (rule 46).
  if (!Array.isArray(value))
    problems.push(
      say('gemini-event-not-list', { path: source.path, key: `hooks.${event}` }, event, describe(value), isJson(value)),
    );
  const definitions = Array.isArray(value) ? value : isJson(value) ? [value] : [];
  const reading: Reading = { source, event, switches, list: ['hooks', event] };
  for (let index = 0; index < definitions.length; index += 1) {
    const at = Array.isArray(value) ? index : undefined;
    readDefinition(definitions[index], at, reading, hooks, problems);
  }
  source.lines.announce(() => hooks.map((hook) => hook.source as Standing));
  return { hooks, problems };
}

/** What is being read: from where, for which event, with which switches, and where the event's list stands. */
interface Reading {
  readonly source: HookSource;
  readonly event: string;
  readonly switches: Switches;
  readonly list: At;
}

/**
 * Where a definition or an entry of it stands. A file may hold ten thousand of them, of which one is going to be shown: what nobody asks for is not
 * made.
 */
class Standing implements Source, Placed {
  readonly scope: string;
  readonly path: string;
  readonly #lines: Lines;
  readonly #list: At;
  readonly #definition: number | undefined;
  readonly #entry: number | undefined;

  constructor(
    { scope, path, lines }: Pick<HookSource, 'scope' | 'path' | 'lines'>,
    list: At,
    definition: number | undefined,
    entry: number | undefined,
  ) {
    this.scope = scope;
    this.path = path;
    this.#lines = lines;
    this.#list = list;
    this.#definition = definition;
    this.#entry = entry;
  }

  get at(): At {
    return [
      ...this.#list,
      ...(this.#definition === undefined ? [] : [this.#definition]),
      ...(this.#entry === undefined ? [] : ['hooks', this.#entry]),
    ];
  }

  /** `hooks.BeforeTool[0].hooks[1]`. */
  get key(): string {
    return this.at
      .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
      .join('');
  }

  get place(): Place {
    return { path: this.path, key: this.key };
  }

  line(): number | undefined {
    return this.#lines.of(this);
  }
}

function readDefinition(
  definition: unknown,
  index: number | undefined,
  reading: Reading,
  hooks: GeminiHook[],
  problems: Problem[],
): void {
  const { source, event, list } = reading;
  if (!isJson(definition)) {
    const at = new Standing(source, list, index, undefined);
    problems.push(say('gemini-entry-invalid', at.place, `it must be an object, but it is ${describe(definition)}`));
    hooks.push(brokenHook(at.key, event, at, `it is ${describe(definition)}`));
    return;
  }
  const entries = definition['hooks'];
  if (!Array.isArray(entries)) {
    const at = new Standing(source, list, index, undefined);
    const { command } = definition;
    problems.push(say('gemini-definition-without-hooks', at.place, typeof command === 'string'));
    hooks.push(brokenHook(typeof command === 'string' ? command : at.key, event, at, 'it has no hooks list'));
    return;
  }
  const matcher = expandStrings(definition['matcher'], source.expand);
  if (isOddMatcher(matcher, event))
    problems.push(...lintDefinition(matcher, event, new Standing(source, list, index, undefined).place));
  for (let position = 0; position < entries.length; position += 1) {
    const entry: unknown = entries[position];
    const why = whyInvalid(entry);
    if (why !== undefined) {
      const at = new Standing(source, list, index, position);
      problems.push(say('gemini-entry-invalid', at.place, why));
      const name = nameOf(entry) ?? at.key;
      // The engine does try these two (rule 45).
      const differs =
        isJson(entry) && (entry['type'] === 'plugin' || entry['type'] === 'runtime') ? 'gemini-hook-type' : undefined;
      hooks.push(brokenHook(name, event, at, why, differs));
      continue;
    }
    const hook = new Entry(reading, index, position, entry as Json, definition, matcher);
    if (isOddEntry(entry as Json))
      for (const problem of lintEntry(hook, hook.source.place, source.extension !== undefined)) problems.push(problem);
    hooks.push(hook);
  }
}

const nameOf = (entry: unknown): string | undefined => {
  const name = isJson(entry) ? entry['name'] || entry['command'] : undefined;
  return name === undefined || name === null || name === '' ? undefined : asText(name);
};

/** Why the engine discards an entry (rule 45). Types that it knows and can't run in a settings file are discarded here too. */
function whyInvalid(entry: unknown): string | undefined {
  if (!isJson(entry)) return `it must be an object, but it is ${describe(entry)}`;
  const type = entry['type'];
  if (type === undefined) return 'it has no type; write "type": "command"';
  if (type === 'plugin' || type === 'runtime') return `type "${type}" can't be used in a file; write "type": "command"`;
  if (type !== 'command') return `type must be "command", in lower case, but it is ${describe(type)}`;
  return entry['command'] ? undefined : 'it has no command';
}

/**
 * An entry that the engine takes. Nothing of it that a matcher which does not match spares anybody to know is made before it is asked for: of ten
 * thousand configured hooks one may run.
 */
class Entry implements GeminiHook {
  readonly event: string;
  readonly rawMatcher: unknown;
  readonly off: Off | undefined;
  readonly #reading: Reading;
  readonly #index: number | undefined;
  readonly #position: number;
  readonly #entry: Json;
  readonly #definition: Json;
  #source: Standing | undefined;
  #detail: GeminiDetail | undefined;

  constructor(
    reading: Reading,
    index: number | undefined,
    position: number,
    entry: Json,
    definition: Json,
    matcher: unknown,
  ) {
    const { event, switches } = reading;
    this.#reading = reading;
    this.event = event;
    this.#index = index;
    this.#position = position;
    this.#entry = entry;
    this.#definition = definition;
    this.rawMatcher = matcher;
    this.off = switches.off === undefined && switches.disabled.size === 0 ? undefined : offBy(this.name, switches);
  }

  get ownName(): string {
    const { name } = this.#entry;
    return name ? asText(expandStrings(name, this.#reading.source.expand)) : '';
  }

  get name(): string {
    return this.ownName || this.command;
  }

  get command(): string {
    const { command } = this.#entry;
    return typeof command === 'string' ? command : toJson(command);
  }

  get matcher(): string | undefined {
    return typeof this.rawMatcher === 'string' ? this.rawMatcher : undefined;
  }

  get timeoutMs(): number {
    return timeoutOf(expandStrings(this.#entry['timeout'], this.#reading.source.expand));
  }

  get source(): Standing {
    this.#source ??= new Standing(this.#reading.source, this.#reading.list, this.#index, this.#position);
    return this.#source;
  }

  get detail(): GeminiDetail {
    if (this.#detail !== undefined) return this.#detail;
    const { command, timeout, env } = this.#entry;
    const { source, switches } = this.#reading;
    this.#detail = {
      ownName: this.ownName,
      sequential: this.#definition['sequential'] === true,
      rawTimeout: timeout,
      env: expandStrings(env, source.expand),
      redaction: switches.redaction,
      plansDirectory: switches.plansDirectory,
      extension: source.extension,
      notCommand: typeof command === 'string' ? undefined : describe(command),
    };
    return this.#detail;
  }
}

/** As node's setTimeout takes the value, of whatever type (`[3000]` is 3000): what is no number from 1 to 2^31-1 fires after 1 ms (rule 8). */
export function timeoutOf(raw: unknown): number {
  if (raw === undefined || raw === null) return defaultTimeoutMs;
  const value = asNumber(raw);
  return value >= 1 && value <= longestTimerMs ? value : 1;
}

function offBy(title: string, switches: Switches): Off | undefined {
  if (switches.off !== undefined)
    return { why: 'disabled', detail: `hooksConfig.enabled is false in ${switches.off.path}` };
  const by = switches.disabled.get(title);
  return by === undefined ? undefined : { why: 'disabled', detail: `listed in hooksConfig.disabled of ${by.path}` };
}

function brokenHook(name: string, event: string, source: Source, why: string, differs?: string): GeminiHook {
  return {
    name,
    event,
    command: '',
    timeoutMs: 0,
    source,
    rawMatcher: undefined,
    off: { why: 'invalid', detail: why, ...(differs === undefined ? {} : { differs }) },
    detail: {
      ownName: '',
      sequential: false,
      rawTimeout: undefined,
      env: undefined,
      redaction: { enabled: true, allowed: [], blocked: [] },
      plansDirectory: undefined,
    },
  };
}
