/** The events of Gemini CLI 0.61: what a matcher is tested against, how outputs are merged, and whether a block counts. */

/** `regex`: JavaScript, unanchored. `exact`: the whole string. `ignored`: the hook always runs (rules 38, 40, 41). */
export type Matching = 'regex' | 'exact' | 'ignored';

/** How the outputs of several hooks become one (rules 28, 34, 35, 36). */
export type Merge = 'or' | 'replace' | 'tools' | 'simple';

export interface EventKind {
  readonly matching: Matching;
  /** The payload field that holds the matcher's target. */
  readonly target?: string;
  readonly merge: Merge;
  readonly canBlock: boolean;
}

const tool = { matching: 'regex', target: 'tool_name', merge: 'or', canBlock: true } as const;

export const eventKinds: Readonly<Record<string, EventKind>> = {
  SessionStart: { matching: 'exact', target: 'source', merge: 'or', canBlock: false },
  SessionEnd: { matching: 'exact', target: 'reason', merge: 'simple', canBlock: false },
  BeforeAgent: { matching: 'ignored', merge: 'or', canBlock: true },
  AfterAgent: { matching: 'ignored', merge: 'or', canBlock: true },
  BeforeModel: { matching: 'ignored', merge: 'replace', canBlock: true },
  AfterModel: { matching: 'ignored', merge: 'replace', canBlock: true },
  BeforeToolSelection: { matching: 'ignored', merge: 'tools', canBlock: false },
  BeforeTool: tool,
  AfterTool: tool,
  PreCompress: { matching: 'exact', target: 'trigger', merge: 'simple', canBlock: false },
  Notification: { matching: 'ignored', merge: 'simple', canBlock: false },
};

/** What is known about an event; throws for a name that `entry.ts` does not list. */
export function kindOf(event: string): EventKind {
  const kind = eventKinds[event];
  if (kind === undefined) throw new Error(`${event} is no event of Gemini CLI`);
  return kind;
}
