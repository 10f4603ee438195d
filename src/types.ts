/** The nouns of the pipeline. Values only: nothing in this file does anything. */

import type { Decision } from './decision-schema.ts';
import type { Problem } from './problems.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** What a hook, or all hooks of an event together, decided. In rising order of strictness: allow, ask, deny, stop. */
export type Ruling = 'allow' | 'ask' | 'deny' | 'stop';

/** Where a hook stands: the file, the place in it, and the scope that the format gives the file. */
export interface Source {
  /** `project` is the one scope that needs the user's trust; the other names are the format's own. */
  readonly scope: string;
  readonly path: string;
  /** For people: `hooks.BeforeTool[0].hooks[1]`. */
  readonly key: string;
  /** 1-based line of the hook in the file, found only when it is going to be shown. */
  readonly line?: () => number | undefined;
}

export type SkipWhy =
  | 'disabled'
  | 'untrusted'
  | 'duplicate'
  | 'not-selected'
  | 'chain-ended'
  | 'invalid'
  | 'shadowed'
  | 'switched-off'
  | 'matcher';

/** A configured hook. `detail` is the format's own business; no stage looks into it. */
export interface Hook<Detail = unknown> {
  readonly name: string;
  readonly event: string;
  /** As configured; what is really started is `Start.shown`. */
  readonly command: string;
  readonly matcher?: string | undefined;
  readonly timeoutMs: number;
  readonly source: Source;
  /** Set when the configuration itself keeps this hook from running. */
  readonly off?: Off | undefined;
  readonly detail: Detail;
}

export interface Off {
  readonly why: SkipWhy;
  readonly detail: string;
  /** Id of the row of the table of differences, where the agent itself would have gone on. */
  readonly differs?: string;
}

export interface Skipped extends Off {
  readonly hook: Hook;
}

/** One event payload, validated. `text` is what a hook gets on stdin, to the byte. */
export interface HookEvent {
  readonly name: string;
  /** What matchers are tested against; null where the event has no such value. */
  readonly target: string | null;
  readonly canBlock: boolean;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The folder that the payload names, or undefined where it names none. */
  readonly cwd: string | undefined;
  readonly sessionId: string;
}

export type Mode = 'parallel' | 'sequential';

/** What will run, in which order, and why each other hook will not. */
export interface Plan {
  readonly steps: readonly Hook[];
  readonly mode: Mode;
  readonly skipped: readonly Skipped[];
  /** All hooks that were considered, in plan order, whatever became of them. */
  readonly all?: readonly Hook[];
  /** Hooks of this event whose matcher did not match, in plan order. */
  readonly unmatched: readonly Hook[];
  readonly problems: readonly Problem[];
  /** Set where the project's hooks run because their content is the one that was trusted. */
  readonly guard?: HookGuard | undefined;
}

/** Looks at the files that a hook names right before it starts; undefined for a hook that it has nothing to do with. */
export type HookGuard = (hook: Hook, start: Start) => Guarded | undefined;

export interface Guarded {
  /** Why the hook must not start: a file is not as it was trusted. */
  readonly refusal: Problem | undefined;
  /** To be asked when it has ended: what changed in the meantime. */
  changed(): Problem | undefined;
}

/** How one hook's process is started: everything `spawn.ts` needs, decided by the format. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** The command text as the shell is given it. */
  readonly shown: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /**
   * `sockets`: node's own pipes. `pipes`: real ones, for agents whose hooks may open /dev/stdin and the like by name. `files`: unlinked files,
   * which also stand in where the system has no real pipes to give.
   */
  readonly stdio: 'sockets' | 'pipes' | 'files';
  /** Between SIGTERM and SIGKILL, in ms. */
  readonly graceMs: number;
  /** Set when it can't be started at all: why. Nothing is tried then. */
  readonly cannot?: string | undefined;
  /** Names of variables that were kept from the hook. */
  readonly removedEnv: readonly string[];
  readonly problems: readonly Problem[];
}

/** How a hook's process ended. */
export type Exit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | {
      readonly kind: 'timed-out';
      readonly afterMs: number;
      readonly by: 'timeout' | 'deadline';
      readonly code?: number;
    }
  /** `error`: the system's own words for it, where it was tried. */
  | { readonly kind: 'not-started'; readonly why: string; readonly error?: string }
  | { readonly kind: 'output-limit'; readonly code?: number };

/** One finished run of a hook, as bytes. */
export interface HookRun {
  readonly exit: Exit;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly durationMs: number;
  /** How much of stdout and stderr stood there when the hook itself exited or its time was up, where more came later. */
  readonly early?: { readonly stdout: number; readonly stderr: number } | undefined;
  /** Another process still held a pipe when the drain ended. */
  readonly held: boolean;
  /** hookrun was told to end while this hook ran. */
  readonly interrupted: boolean;
  /** Bytes of stdin that nobody read; known only with `files`. */
  readonly unread?: number | undefined;
}

/** Why a hook could not decide, in words for the result. */
export interface Failure {
  readonly kind:
    | 'timed-out'
    | 'signalled'
    | 'not-started'
    | 'output-limit'
    | 'exit-code'
    | 'broken-output'
    | 'undelivered';
  readonly text: string;
}

/** What one run says. `reading` is the format's own business and comes back to it in `merge`. */
export interface Verdict<Reading = unknown> {
  readonly kind: Ruling | 'no-decision';
  readonly reason?: string | undefined;
  /** Set on `no-decision`, and on a deny that the engine itself makes of a failure. */
  readonly failure?: Failure | undefined;
  /** The hook's own configuration says what a failure means. */
  readonly onFailure?: 'block' | undefined;
  /** The parsed output, shown in the result. */
  readonly output?: unknown;
  /** Ids of the rows of the table of differences that made this verdict. */
  readonly differs?: readonly string[];
  readonly problems?: readonly Problem[];
  readonly reading: Reading;
}

/** A hook that was to run, what became of it, and what it counts as once the failure policy has spoken. */
export interface Outcome {
  readonly hook: Hook;
  readonly start: Start;
  readonly run: HookRun;
  readonly verdict: Verdict;
  /** What the agent's engine reads in this run: `verdict.reading`, unless output that came late changed it. */
  readonly engineReading: unknown;
  /** The verdict rests on the output as it stood when the hook ended, before others added to it. */
  readonly early: boolean;
  readonly counts: Ruling;
}

/** What beyond the ruling comes of an event: rewritten input, added context and so on. */
export type Effects = NonNullable<Decision['effects']>;

/** What a format makes of all outcomes together, beyond the ruling itself. */
export interface Merged {
  readonly reason?: string | undefined;
  /** What this agent would tell its model or user, in the agent's words. */
  readonly message?: string | undefined;
  readonly effects: Effects;
  /** The result of the agent's own engine for these runs; the shape is defined in its protocol. */
  readonly native: unknown;
  readonly engineRuling: Ruling;
  /** Ids of rows of the table of differences that this merge made use of. */
  readonly differs: readonly string[];
  readonly problems: readonly Problem[];
}

export type OnFailure = 'native' | 'allow' | 'block';
