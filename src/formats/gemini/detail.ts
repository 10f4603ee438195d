import type { Hook } from '../../types.ts';
import type { Redaction } from './switches.ts';

/** What a hook of Gemini CLI carries beyond what every hook has. */
export interface GeminiDetail {
  /** The `name` field, for the key by which duplicates are found (rule 43). */
  readonly ownName: string;
  readonly sequential: boolean;
  /** The timeout as configured, for the engine's own message. */
  readonly rawTimeout: unknown;
  /** The hook's `env` field, expanded. */
  readonly env: unknown;
  /** Set for the hooks of an extension. */
  readonly extension?:
    | { readonly variables: Readonly<Record<string, string>>; readonly env: Readonly<Record<string, string>> }
    | undefined;
  /** What the settings say about the environment and the plans folder of all hooks. */
  readonly redaction: Redaction;
  readonly plansDirectory: string | undefined;
  /** The command is of a type that can't be run: what it is. */
  readonly notCommand?: string | undefined;
}

export interface GeminiHook extends Hook<GeminiDetail> {
  /** The matcher as configured, of whatever type. */
  readonly rawMatcher: unknown;
}
