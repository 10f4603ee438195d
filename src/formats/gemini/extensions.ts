import { join } from 'node:path';
import { tryConfigText } from '../../config-file.ts';
import { HookrunError } from '../../errors.ts';
import type { Problem } from '../../problems.ts';
import type { Where } from '../format.ts';
import { readDotEnv } from './dot-env.ts';
import { isEnabled, readEnablement } from './enablement.ts';
import { Lines } from './settings.ts';
import { say } from './words.ts';

type Json = Readonly<Record<string, unknown>>;

/** An extension that is there and enabled, with its hooks file as parsed. */
export interface Extension {
  readonly name: string;
  readonly folder: string;
  readonly hooksPath: string;
  readonly hooks: Json;
  readonly lines: Lines;
  /** What `${…}` stands for in its hooks file, by the name between the braces (rule 55). */
  readonly variables: Readonly<Record<string, string>>;
  /** Its own settings, which go into each hook's environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** What the merged settings say about extensions. */
export interface ExtensionRules {
  readonly enabled: boolean;
  readonly allowedSources: readonly string[] | undefined;
  readonly blockGit: boolean;
}

/**
 * The enabled extensions, in the order of their folders, with their hooks. What does not fit is left out with a warning. Throws
 * `HookrunError` (config) for two extensions of one name, as the engine does. With `withProject: false` the project's
 * `.env` says nothing about their settings.
 */
export function readExtensions(
  where: Where,
  rules: ExtensionRules,
  withProject: boolean,
): { extensions: Extension[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const extensions: Extension[] = [];
  if (!rules.enabled || where.explicit.length > 0) return { extensions, problems };
  const root = join(where.home, '.gemini', 'extensions');
  if (where.fs.info(root)?.kind !== 'folder') return { extensions, problems };
  const enablement = readEnablement(where.fs, join(root, 'extension-enablement.json'));
  problems.push(...enablement.problems);
  const seen = new Map<string, string>();
  for (const entry of where.fs.list(root)) {
    const installed = join(root, entry);
    if (where.fs.info(installed)?.kind !== 'folder') continue;
    const found = readManifest(where, installed, rules);
    if ('problem' in found) {
      if (found.problem !== undefined) problems.push(found.problem);
      continue;
    }
    const { name, folder, manifest } = found;
    const other = seen.get(name);
    if (other !== undefined)
      throw new HookrunError('config', say('gemini-extension-duplicate', { path: installed }, name, other));
    seen.set(name, installed);
    if (!isEnabled(enablement.rules, name, where.project)) continue;
    const hooksPath = join(folder, 'hooks', 'hooks.json');
    const file = tryConfigText(where.fs, hooksPath);
    if ('missing' in file) continue;
    if ('why' in file) {
      problems.push(say('gemini-extension-hooks', { path: hooksPath }, file.why));
      continue;
    }
    const hooks = parseHooks(file.text);
    if (typeof hooks === 'string') {
      problems.push(say('gemini-extension-hooks', { path: hooksPath }, hooks));
      continue;
    }
    const settings = readOwnSettings(where, folder, manifest, withProject);
    problems.push(...settings.problems);
    const variables = {
      extensionPath: folder,
      workspacePath: where.project,
      '/': '/',
      pathSeparator: '/',
      ...settings.env,
    };
    extensions.push({ name, folder, hooksPath, hooks, lines: new Lines(file.text), variables, env: settings.env });
  }
  return { extensions, problems };
}

type Manifest =
  | { readonly name: string; readonly folder: string; readonly manifest: Json }
  /** Left out; without a problem where the settings ask for it. */
  | { readonly problem: Problem | undefined };

function readManifest(where: Where, installed: string, rules: ExtensionRules): Manifest {
  const install = readJson(where, join(installed, '.gemini-extension-install.json'));
  const source = asText(install?.['source']);
  const type = asText(install?.['type']);
  // A linked extension lives where it was linked from.
  const folder = type === 'link' && source !== undefined ? source : installed;
  if (rules.blockGit && (type === 'git' || type === 'github-release')) return { problem: undefined };
  if (rules.allowedSources !== undefined && !isAllowed(source ?? '', rules.allowedSources))
    return { problem: undefined };
  const path = join(folder, 'gemini-extension.json');
  const manifest = readJson(where, path);
  if (manifest === undefined)
    return { problem: say('gemini-extension-invalid', { path }, 'there is no gemini-extension.json that parses') };
  const name = asText(manifest['name']);
  if (name === undefined || name === '' || asText(manifest['version']) === undefined)
    return { problem: say('gemini-extension-invalid', { path }, 'name and version are needed') };
  return { name, folder, manifest };
}

function isAllowed(source: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    try {
      return new RegExp(pattern).test(source);
    } catch {
      return false;
    }
  });
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function readJson(where: Where, path: string): Json | undefined {
  const file = tryConfigText(where.fs, path);
  if (!('text' in file)) return undefined;
  try {
    const value: unknown = JSON.parse(file.text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** The `hooks` object of an extension's file, or why there is none. The file is strict JSON. */
function parseHooks(text: string): Json | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not valid JSON (comments are not allowed there)';
  }
  const hooks = typeof value === 'object' && value !== null ? (value as Json)['hooks'] : undefined;
  if (typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks)) return hooks as Json;
  return 'there is no hooks object at the top: the file must read {"hooks": {"BeforeTool": […]}}';
}

/** The settings that an extension declares, from its own `.env` and, over it, the project's. */
function readOwnSettings(
  where: Where,
  folder: string,
  manifest: Json,
  withProject: boolean,
): { env: Record<string, string>; problems: Problem[] } {
  const declared = Array.isArray(manifest['settings']) ? (manifest['settings'] as unknown[]) : [];
  const env: Record<string, string> = {};
  const problems: Problem[] = [];
  if (declared.length === 0) return { env, problems };
  const values = readDotEnv(where.fs, join(folder, '.env'));
  const over = withProject ? readDotEnv(where.fs, join(where.project, '.env')) : new Map<string, string>();
  for (const one of declared) {
    if (typeof one !== 'object' || one === null) continue;
    const { name, envVar, sensitive } = one as { name?: unknown; envVar?: unknown; sensitive?: unknown };
    if (typeof envVar !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(envVar)) continue;
    if (sensitive === true) {
      const path = join(folder, 'gemini-extension.json');
      problems.push(say('gemini-keychain', { path }, typeof name === 'string' ? name : envVar));
      continue;
    }
    const value = over.get(envVar) ?? values.get(envVar);
    if (value !== undefined) env[envVar] = value;
  }
  return { env, problems };
}
