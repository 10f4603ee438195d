/** The 12 events of goose: what a matcher is tested against, and whether a hook can stop anything (goose, "hooks.json" and "Matching"). */

/** `none`: the event has no value of its own, so matchers are tested against the empty string. */
export type TargetKind = 'tool' | 'prompt' | 'path' | 'command' | 'none';

export interface EventKind {
  readonly target: TargetKind;
  readonly canBlock: boolean;
}

export const eventKinds: Readonly<Record<string, EventKind>> = {
  SessionStart: { target: 'none', canBlock: false },
  SessionEnd: { target: 'none', canBlock: false },
  Stop: { target: 'none', canBlock: true },
  UserPromptSubmit: { target: 'prompt', canBlock: false },
  PreToolUse: { target: 'tool', canBlock: true },
  PreToolUseResult: { target: 'tool', canBlock: false },
  PostToolUse: { target: 'tool', canBlock: false },
  PostToolUseFailure: { target: 'tool', canBlock: false },
  BeforeReadFile: { target: 'path', canBlock: false },
  AfterFileEdit: { target: 'path', canBlock: false },
  BeforeShellExecution: { target: 'command', canBlock: false },
  AfterShellExecution: { target: 'command', canBlock: false },
};

/** What is known about an event, undefined for a name that is none of goose's. Names are exact (goose corner 22). */
export function kindOf(event: string): EventKind | undefined {
  return Object.hasOwn(eventKinds, event) ? eventKinds[event] : undefined;
}
