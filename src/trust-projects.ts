import { resolve } from 'node:path';
import { HookrunError } from './errors.ts';
import { type FilePart, type Fingerprint, placeKey } from './fingerprint.ts';
import type { Config, ProjectHook, Where } from './formats/format.ts';
import { lookForSettings } from './own-settings/project.ts';
import { type Brought, fingerprintHere, type TrustQuestion } from './settle-trust.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** What one agent would take from a folder. */
export interface ProjectHere {
  readonly question: TrustQuestion;
  /** undefined where the folder holds nothing for this agent, and where nobody asked. */
  readonly here: Brought | undefined;
}

/** The folder that a command is about, which must be one. Throws `HookrunError` (input-file). */
export function projectFolder(dir: string | undefined, world: World): string {
  const project = resolve(world.cwd, dir ?? '.');
  if (world.fs.info(project)?.kind === 'folder') return project;
  throw new HookrunError('input-file', say('file-unreadable', { path: project }, 'no such folder'));
}

/**
 * What every agent finds in the folder, or just the named one; hookrun's own settings there concern them all. Nothing is started. Throws
 * `HookrunError` (config, input-file) where an agent would not start with its configuration: nobody can say what would run then.
 *
 * @param look false: only who is concerned. To decide against a folder nobody needs to understand it.
 */
export async function readProjects(project: string, format: string, world: World, look = true): Promise<ProjectHere[]> {
  const { home, cwd, env, fs, platform } = world;
  if (platform === 'win32') throw new HookrunError('usage', say('platform-unsupported', {}, platform));
  const where: Where = { project, home, cwd, env, fs, platform, explicit: [] };
  const found: ProjectHere[] = [];
  for (const entry of world.formats) {
    if (format !== 'auto' && format !== entry.name) continue;
    const loaded = await entry.load();
    const isNamed = format !== 'auto';
    // An agent that reads nothing from a project must not get in the way with what is wrong elsewhere.
    if (!isNamed && !loaded.scopes.includes('project') && lookForSettings(where) === undefined) continue;
    const question = { format: loaded, config: askable(await loaded.load(where)), where, world };
    found.push({ question, here: look ? await fingerprintHere(question) : undefined });
  }
  return found;
}

/** An agent without a project scope trusts it for want of anything to distrust; about hookrun's own settings it says nothing. */
const askable = (config: Config): Config =>
  config.project === undefined ? { ...config, trust: { state: 'undecided', by: '' } } : config;

/** The files that one hook names, as they are in the fingerprint, and those that are not there yet. */
export function filesOfHook(
  hook: ProjectHook,
  fingerprint: Fingerprint,
): { readonly files: readonly FilePart[]; readonly missing: readonly string[] } {
  const named = fingerprint.named.get(placeKey(hook));
  const paths = new Set(named?.files ?? []);
  return { files: fingerprint.parts.files.filter(({ path }) => paths.has(path)), missing: named?.missing ?? [] };
}
