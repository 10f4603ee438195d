/** What `hookrun trust` and `untrust` print: the document for stdout and the lines for people, both made of the same values. Pure. */

import type { FilePart, Fingerprint } from './fingerprint.ts';
import type { ProjectClaims, ProjectHook, TrustState } from './formats/format.ts';
import { toJson } from './to-json.ts';
import type { TrustRecord } from './trust-store.ts';

/** A hook that a folder brings along, with the files that its command names. */
export interface HookView {
  readonly event: string;
  readonly name: string;
  readonly matcher?: string;
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly source: { readonly path: string; readonly key: string };
  readonly files: readonly FilePart[];
  /** Named, and not there yet: when such a file appears, the folder has changed. */
  readonly missing?: readonly string[];
}

/** What one agent finds in a folder, and whether it may run it. */
export interface FormatView {
  readonly format: string;
  readonly state: TrustState;
  /** Who says so. */
  readonly by: string;
  readonly fingerprint?: string;
  readonly hooks: readonly HookView[];
  /** A switch whose value may be a secret has none here. */
  readonly switches: readonly { readonly name: string; readonly value?: unknown }[];
  /** hookrun's own settings of the project that count. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What is no longer as it was trusted. */
  readonly changes?: readonly string[];
}

/** The document that `hookrun trust` prints. */
export interface TrustDocument {
  readonly schemaVersion: 1;
  readonly trust: {
    readonly action: string;
    readonly folder?: string;
    /** The record of all decisions. */
    readonly store: string;
    readonly formats?: readonly FormatView[];
    /** `--list`: all of them; `--deny`, `untrust`: those that were written or taken out. */
    readonly records?: readonly Omit<TrustRecord, 'parts'>[];
    readonly warnings: readonly { readonly code: string; readonly message: string; readonly path?: string }[];
  };
}

/** A record without its parts, which say nothing to people. */
export const recordView = ({ parts: _parts, ...record }: TrustRecord): Omit<TrustRecord, 'parts'> => record;

export function hookView(
  { event, name, matcher, command, env, path, key }: ProjectHook,
  files: readonly FilePart[],
  missing: readonly string[],
): HookView {
  return {
    event,
    name,
    ...(matcher === undefined ? {} : { matcher }),
    command,
    ...(env === undefined ? {} : { env }),
    source: { path, key },
    files,
    ...(missing.length === 0 ? {} : { missing }),
  };
}

export const switchViews = (claims: ProjectClaims): FormatView['switches'] =>
  claims.switches.map(({ name, value, hidden }) => (hidden === true ? { name } : { name, value }));

/** Everything of one format, for a person who is about to trust it; raw, so not yet fit for a terminal. */
export function lines(view: FormatView): string[] {
  const hooks = view.hooks.flatMap((hook) => {
    const matcher = hook.matcher === undefined ? '' : `, matcher ${JSON.stringify(hook.matcher)}`;
    const name = hook.name === hook.command ? '' : ` ${hook.name}`;
    return [
      `hook${name} (${hook.event}${matcher}): ${hook.command || 'not valid, so it does not run'}`,
      ...Object.entries(hook.env ?? {}).map(([key, value]) => `  with ${key}=${value}`),
      ...hook.files.map(fileLine),
      ...(hook.missing ?? []).map((path) => `  ${path}: not there yet`),
    ];
  });
  const switches = view.switches.map(
    ({ name, value }) => `switch ${name}${value === undefined ? '' : `: ${toJson(value)}`}`,
  );
  const settings = Object.entries(view.settings).map(([name, value]) => `hookrun's own ${name}: ${toJson(value)}`);
  return [...hooks, ...switches, ...settings].map((line) => `  ${line}`);
}

function fileLine({ path, sha256, unreadable, link }: FilePart): string {
  const target = link === undefined ? '' : ` -> ${link}`;
  return `  ${path}${target}: ${sha256 === undefined ? `can't be read (${unreadable})` : `sha256 ${sha256}`}`;
}

/** The value for HOOKRUN_TRUST that trusts all of these. */
export const variableFor = (fingerprints: readonly Pick<Fingerprint, 'hash'>[]): string =>
  fingerprints.map(({ hash }) => hash).join(',');
