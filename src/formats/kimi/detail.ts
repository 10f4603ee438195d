import type { Hook } from '../../types.ts';

/** What a hook of Kimi Code carries beyond what every hook has. */
export interface KimiDetail {
  /** Set for the hook of a plugin: it runs in `root`, and both are put into its environment. */
  readonly plugin?: { readonly root: string; readonly home: string };
}

export type KimiHook = Hook<KimiDetail>;
