import type { SettingKey } from './own-settings/keys.ts';
import type { PayloadSource } from './payload.ts';
import type { Selection } from './plan.ts';
import type { Problem } from './problems.ts';
import type { OnFailure } from './types.ts';

/** How much is said on stderr, and how. */
export interface TellOptions {
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** undefined: as the terminal and NO_COLOR have it. */
  readonly color: boolean | undefined;
}

/** Where every run leaves a record. */
export interface LogOptions {
  /** Absolute. */
  readonly file: string;
  /** With the payload and the output of hooks. */
  readonly payload: boolean;
}

/** Everything `hookrun run` was told, checked and in its final types. */
export interface RunOptions {
  readonly payload: PayloadSource;
  readonly format: string;
  readonly config: readonly string[];
  readonly project: string | undefined;
  readonly selection: Selection;
  readonly jobs: number;
  /** An upper bound on every hook's own timeout. */
  readonly timeoutMs: number | undefined;
  /** One that the project gave itself: on its own hooks alone. */
  readonly projectTimeoutMs?: number | undefined;
  readonly deadlineMs: number | undefined;
  readonly onFailure: OnFailure;
  readonly requireMatch: boolean;
  readonly env: 'engine' | 'sanitized' | 'inherit';
  readonly trust: boolean;
  /** Count denials in a row and let the event through as the agent does; `usual`: at the agent's own number. */
  readonly stopCap: number | 'usual' | undefined;
  /** Run the events of finer grain that the agent derives from a tool event too. */
  readonly derived: boolean;
  readonly dryRun: boolean;
  readonly output: 'json' | 'hook';
  readonly strict: boolean;
  readonly tell: TellOptions;
  readonly log: LogOptions | undefined;
  /** Settings that flags or the environment gave: a project has no say about them. */
  readonly fixed: ReadonlySet<SettingKey>;
  /** What is worth a warning about the settings. */
  readonly notes: readonly Problem[];
}

/** Everything `hookrun stream` was told. */
export interface StreamOptions {
  /** What holds for each event. */
  readonly run: RunOptions;
  /** How many events at once. */
  readonly events: number;
  /** Decisions come as they are made, not in the order of the lines. */
  readonly unordered: boolean;
  /** The first event that is not allowed is the last. */
  readonly failFast: boolean;
}

export type TrustAction = 'trust' | 'deny' | 'list' | 'check' | 'diff' | 'fingerprint';

/** Everything `hookrun trust` was told. */
export interface TrustOptions {
  readonly dir: string | undefined;
  readonly action: TrustAction;
  /** With `fingerprint`: the bare value. */
  readonly plain: boolean;
  /** A format's name, or `auto` for all that have something here. */
  readonly format: string;
  readonly quiet: boolean;
}

export type UntrustOptions = Pick<TrustOptions, 'dir' | 'format' | 'quiet'>;
