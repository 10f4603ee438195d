import { resolve } from 'node:path';
import { HookrunError } from './errors.ts';
import type { FilePart, Fingerprint } from './fingerprint.ts';
import type { ProjectClaims, ProjectHook, Where } from './formats/format.ts';
import { fingerprintHere, type TrustQuestion } from './settle-trust.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** What one agent would take from a folder. */
export interface ProjectHere {
  readonly question: TrustQuestion;
  /** For people: `Gemini CLI`. */
  readonly title: string;
  /** undefined where the folder holds nothing for this agent. */
  readonly here: { readonly claims: ProjectClaims; readonly fingerprint: Fingerprint } | undefined;
}

/** The folder that a command is about, which must be one. Throws `HookrunError` (input-file). */
export function projectFolder(dir: string | undefined, world: World): string {
  const project = resolve(world.cwd, dir ?? '.');
  if (world.fs.info(project)?.kind === 'folder') return project;
  throw new HookrunError('input-file', say('file-unreadable', { path: project }, 'no such folder'));
}

/**
 * What every agent with a project scope finds in the folder, or just the named one. Nothing is started. Throws `HookrunError` (config,
 * input-file) where an agent would not start with its configuration: nobody can say what would run then.
 */
export async function readProjects(project: string, format: string, world: World): Promise<ProjectHere[]> {
  const { home, cwd, env, fs, platform } = world;
  if (platform === 'win32') throw new HookrunError('usage', say('platform-unsupported', {}, platform));
  const where: Where = { project, home, cwd, env, fs, platform, explicit: [] };
  const found: ProjectHere[] = [];
  for (const entry of world.formats) {
    if (format !== 'auto' && format !== entry.name) continue;
    const loaded = await entry.load();
    if (!loaded.scopes.includes('project')) continue;
    const question = { format: loaded, config: await loaded.load(where), where, world };
    found.push({ question, title: entry.title, here: await fingerprintHere(question) });
  }
  return found;
}

/** The files that one hook names, as they are in the fingerprint, and those that are not there yet. */
export function filesOfHook(
  hook: ProjectHook,
  fingerprint: Fingerprint,
  keyOf: (hook: ProjectHook) => string,
): { readonly files: readonly FilePart[]; readonly missing: readonly string[] } {
  const named = fingerprint.named.get(keyOf(hook));
  const paths = new Set(named?.files ?? []);
  return { files: fingerprint.parts.files.filter(({ path }) => paths.has(path)), missing: named?.missing ?? [] };
}
