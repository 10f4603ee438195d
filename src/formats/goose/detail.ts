import type { Hook } from '../../types.ts';

/** What only goose's own code looks at. */
export interface GooseDetail {
  readonly plugin: string;
  /** The plugin's folder, for PLUGIN_ROOT. */
  readonly root: string;
  readonly onFailure: 'allow' | 'block';
  /** The first of its rule: what concerns the rule is said with it alone. */
  readonly first: boolean;
}

export type GooseHook = Hook<GooseDetail>;
