import { resolve } from 'node:path';
import { chooseFormat } from './choose-format.ts';
import { HookrunError } from './errors.ts';
import type { Format, Where } from './formats/format.ts';
import type { RunOptions } from './options.ts';
import { buildEvent, type RawPayload, readPayload } from './payload.ts';
import type { Problem } from './problems.ts';
import type { HookEvent } from './types.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** Everything that is known before the configuration is read. */
export interface Prepared {
  readonly format: Format;
  readonly event: HookEvent;
  readonly where: Where;
  readonly problems: readonly Problem[];
}

/**
 * Reads the payload, finds out whose it is and makes the event of it, and settles which folder is the project. Throws
 * `HookrunError` (usage, payload, input-file).
 */
export async function prepare(options: RunOptions, world: World): Promise<Prepared> {
  if (world.platform === 'win32') throw new HookrunError('usage', say('platform-unsupported', {}, world.platform));
  return prepareEvent(await readPayload(options.payload, world), options, world);
}

/** The same for a payload that has been read already. */
export async function prepareEvent(raw: RawPayload, options: RunOptions, world: World): Promise<Prepared> {
  const here: Where = {
    project: options.project === undefined ? world.cwd : projectFolder(options.project, world),
    home: world.home,
    cwd: world.cwd,
    env: world.env,
    inheritsEnv: options.env === 'inherit',
    fs: world.fs,
    platform: world.platform,
    explicit: options.config.map((file) => resolve(world.cwd, file)),
  };
  const choice = chooseFormat(options.format, raw, options.payload.flags.event, world.formats, here);
  const format = await choice.entry.load();
  for (const scope of options.selection.scopes)
    if (!format.scopes.includes(scope))
      throw new HookrunError('usage', say('flag-value', {}, '--scope', scope, `one of ${format.scopes.join(', ')}`));
  const event = await buildEvent(raw, options.payload, format, choice.entry, world);
  if (options.project !== undefined || event.cwd === undefined)
    return { format, event, where: here, problems: choice.problems };
  const project = resolve(world.cwd, event.cwd);
  if (world.fs.info(project)?.kind === 'folder')
    return { format, event, where: { ...here, project }, problems: choice.problems };
  const problem = say('project-missing', { path: event.cwd }, event.cwd);
  return { format, event, where: here, problems: [...choice.problems, problem] };
}

function projectFolder(dir: string, world: World): string {
  const project = resolve(world.cwd, dir);
  if (world.fs.info(project)?.kind === 'folder') return project;
  throw new HookrunError('input-file', say('file-unreadable', { path: project, key: '--project' }, 'no such folder'));
}
