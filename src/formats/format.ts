/**
 * Everything hookrun knows about one agent stands behind `Format`. A format is a folder; its `entry.ts` is small, is loaded
 * on every start and says what the agent's payloads look like; the rest is loaded only when the format is used.
 */

import type { ReadOnlyFs } from '../file-system.ts';
import type { Problem, Words } from '../problems.ts';
import type { RegexBudget } from '../regex.ts';
import type {
  Effects,
  Env,
  Hook,
  HookEvent,
  HookRun,
  Merged,
  Mode,
  Off,
  Outcome,
  Ruling,
  Start,
  Verdict,
} from '../types.ts';

/** The light part of a format: enough to recognise a payload and to print help. */
export interface FormatEntry {
  readonly name: string;
  /** For people: `Gemini CLI`. */
  readonly title: string;
  /** All event names, as the agent spells them. */
  readonly events: readonly string[];
  /** Other agents' names for the same moments, in lower-case letters alone, for hints. */
  readonly foreignEvents: Readonly<Record<string, string>>;
  /** The payload field that holds the event's name. */
  readonly eventField: string;
  /** The payload field that names the folder it is about. */
  readonly folderField: string;
  /**
   * How surely this payload is this agent's: 0 not at all, 1 it could be, 2 and more: fields that only this agent sends.
   * `seen` says in words what spoke for it.
   */
  recognise(payload: Readonly<Record<string, unknown>>): { readonly score: number; readonly seen: string };
  /** The agent's config files that exist here, used only to settle a tie between formats. */
  configs(where: Where): string[];
  load(): Promise<Format>;
}

/** Where a run takes place. */
export interface Where {
  /** The project folder, absolute. */
  readonly project: string;
  readonly home: string;
  /** The folder that hookrun itself was started in. */
  readonly cwd: string;
  readonly env: Env;
  /** `--env inherit`: what came with a project may see all of it, where the agent's engine lets it. */
  readonly inheritsEnv?: boolean;
  readonly fs: ReadOnlyFs;
  readonly platform: string;
  /** `--config`: just these files, instead of discovery. */
  readonly explicit: readonly string[];
}

/** Flags that give payload fields, by meaning; the format knows what its fields are called. */
export interface PayloadFlags {
  readonly event?: string;
  readonly tool?: string;
  /** JSON text. */
  readonly toolInput?: string;
  /** JSON text. */
  readonly toolResponse?: string;
  readonly prompt?: string;
  readonly sessionId?: string;
  readonly cwd?: string;
}

/** Fields to set in the payload's text: path of keys, JSON text. */
export type Edit = readonly [path: readonly string[], json: string];

/** What stands in for base fields that the caller left out. */
export interface Filling {
  readonly cwd: string;
  /** A fresh id, without the agent's own prefix. */
  readonly uuid: () => string;
  /** ISO time. */
  readonly now: () => string;
}

export type TrustState = 'trusted' | 'untrusted' | 'undecided';

export interface TrustAnswer {
  readonly state: TrustState;
  /** Who said so, for people: a file and key, a variable, a flag. */
  readonly by: string;
}

/** A configuration as read from disk, once. */
export interface Config {
  /**
   * The hooks of one event, in plan order, with everything of the configuration applied. With `project: false` as if the
   * project had brought nothing along: neither hooks nor switches.
   */
  setup(event: string, project: boolean): Setup;
  /** What the agent's own files say about trusting the project. */
  readonly trust: TrustAnswer;
  /**
   * Everything in the project that decides what runs, for all events; undefined where it holds nothing, absent where the format has no
   * project scope. Throws as `setup` does.
   */
  project?(): ProjectClaims | undefined;
}

/**
 * What a project brought along, as its own files have it: nothing of the user's configuration, the environment or the payload is in it,
 * and no absolute path, so that it is the same in every checkout.
 */
export interface ProjectClaims {
  /** In the order in which they run; entries that the agent would leave out stand among them. */
  readonly hooks: readonly ProjectHook[];
  readonly switches: readonly ProjectSwitch[];
}

export interface ProjectHook {
  readonly event: string;
  readonly name: string;
  readonly command: string;
  readonly matcher?: string | undefined;
  /** The values of its own environment variables, as written. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** As in `Hook.source`. */
  readonly path: string;
  readonly key: string;
  /** All that decides when and how it runs, as JSON data. */
  readonly content: unknown;
  /** The folders that variables in its command stand for, and the one that it starts in. */
  readonly folders: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Something else in the project that changes what runs, whoever brought the hooks: `hooksConfig`, a plugin's folder. */
export interface ProjectSwitch {
  readonly name: string;
  readonly value: unknown;
  /** The value may be a secret, so only its name is shown. */
  readonly hidden?: boolean;
}

export interface Setup {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}

export type MatchAnswer =
  | { readonly kind: 'match'; readonly problems?: readonly Problem[] }
  | { readonly kind: 'no match'; readonly problems?: readonly Problem[] }
  /** The matcher is broken in a way that keeps the hook from running. */
  | { readonly kind: 'off'; readonly off: Off; readonly problems?: readonly Problem[] };

/** How hooks are to be started, beyond what the format decides. */
export interface StartWish {
  readonly env: 'engine' | 'sanitized' | 'inherit';
  /** Added to every hook's environment last (the nesting guard). */
  readonly extraEnv: Readonly<Record<string, string>>;
}

export interface Format {
  readonly name: string;
  readonly engine: { readonly name: string; readonly version: string };
  /** Every sentence about this agent, by code, for the catalogue. */
  readonly words: Words;
  /** Config scopes in plan order, for `--scope`. */
  readonly scopes: readonly string[];
  readonly fields: {
    /**
     * Payload edits for the flags, in the agent's field names. `payload` is what was given without them: the shape of a field
     * may depend on the event. Throws `HookrunError` (usage) for a flag that it can't express.
     */
    edits(flags: PayloadFlags, payload: Readonly<Record<string, unknown>>): Edit[];
    /** Edits that fill in the missing base fields as the agent would. */
    fill(payload: Readonly<Record<string, unknown>>, filling: Filling): Edit[];
    /** Base fields in the order in which the agent sends them. */
    readonly order: readonly string[];
  };
  /** Validates the known fields. Throws `HookrunError` (payload) naming the path in the payload and what was expected, or `Misfit`, of which that is made. */
  readEvent(payload: Readonly<Record<string, unknown>>, text: string): HookEvent;
  /** Reads the configuration. Throws `HookrunError` (config, input-file) where the agent itself would not start. */
  load(where: Where): Promise<Config>;
  matches(hook: Hook, event: HookEvent, regexes: RegexBudget): MatchAnswer;
  /** Hooks with the same key run once; undefined: always runs. */
  duplicateKey(hook: Hook): string | undefined;
  schedule(hooks: readonly Hook[], event: HookEvent): Mode;
  start(hook: Hook, event: HookEvent, where: Where, wish: StartWish): Start;
  judge(run: HookRun, hook: Hook, event: HookEvent): Verdict;
  /** In sequence: the event that the next hook gets, or `end` where the agent stops the chain. */
  advance(event: HookEvent, outcome: Outcome): HookEvent | 'end';
  merge(outcomes: readonly Outcome[], event: HookEvent, ruling: Ruling, mode: Mode): Merged;
  /** What one hook of this agent would print and return to say this: for `--output hook`. */
  speak(result: Spoken): { readonly stdout: string; readonly stderr: string; readonly code: number };
  /** A payload as the agent sends it for this event, for examples. */
  sample(event: string): Readonly<Record<string, unknown>>;
  /**
   * The events that the agent fires because of this one, once these outcomes are there (none: as if nothing had run). They are
   * run and reported, and change nothing about the decision. `derived`: the user asked for those of finer grain too.
   */
  follow?(event: HookEvent, outcomes: readonly Outcome[], derived: boolean): readonly FollowUp[];
  /** How often in a row the agent lets this event be denied; undefined where it has no such limit. `wanted` is the user's own number. */
  denialCap?(event: HookEvent, wanted: number | undefined, env: Env): DenialCap | undefined;
  /** Hints about this payload, from what the agent does not have. */
  inspect?(event: HookEvent): readonly Problem[];
}

/** An event that follows from another. */
export interface FollowUp {
  readonly event: HookEvent;
  /** Where its payload stands in the engine's own result of the first event, if somebody got it. */
  readonly nativeKey?: string;
}

/** A limit on denials in a row. */
export interface DenialCap {
  readonly cap: number;
  /** The name under which the count is kept: one for each session. */
  readonly file: string;
}

/** The result in the terms that `speak` needs. */
export interface Spoken {
  readonly event: HookEvent | undefined;
  readonly ruling: Ruling;
  readonly reason: string;
  readonly effects: Effects;
  readonly native: unknown;
  /** Nothing could be decided: hookrun failed, or a hook did without any denial. */
  readonly failed: boolean;
}
