import { relative } from 'node:path';
import type { Problem } from '../../problems.ts';
import type { ProjectClaims, ProjectHook, ProjectSwitch, Where } from '../format.ts';
import type { HooksFile } from './hooks-file.ts';
import type { Plugin } from './plugins.ts';
import type { Switches } from './settings.ts';

/** A settings file of the project, as it was read. */
interface SettingsClaim {
  readonly path: string;
  readonly read: Switches | { readonly problem: Problem } | undefined;
}

/**
 * What a project's plugins and settings hold that decides what runs: every hook, the name of every plugin folder (an empty one too takes
 * the name from the user's plugin), and the switches. What is off, hidden or invalid for somebody is in it like everything else.
 */
export function claimsOf(
  plugins: readonly Plugin[],
  files: (plugin: Plugin) => HooksFile | undefined,
  settings: readonly SettingsClaim[],
  { project }: Where,
): ProjectClaims | undefined {
  const hooks: ProjectHook[] = [];
  const switches: ProjectSwitch[] = [];
  for (const plugin of plugins) {
    const file = files(plugin);
    if (file?.kind === 'loaded') hooks.push(...hooksOf(plugin, file, project));
    switches.push({ name: `plugin ${plugin.name}`, value: stateOf(file) });
  }
  for (const { path, read } of settings) {
    if (read === undefined) continue;
    const name = relative(project, path);
    if ('problem' in read) switches.push({ name, value: read.problem.message });
    else
      switches.push({
        name,
        value: { enabledPlugins: [...read.enabled].sort(), disabledPlugins: [...read.disabled].sort() },
      });
  }
  return hooks.length + switches.length === 0 ? undefined : { hooks, switches };
}

/** A file that goose skips whole runs nothing; that it is skipped, and why, is all that it says. */
function stateOf(file: HooksFile | undefined): unknown {
  if (file === undefined) return 'no hooks';
  if (file.kind === 'loaded') return 'hooks';
  return [file.problem.key ?? null, file.problem.message];
}

function hooksOf(plugin: Plugin, file: HooksFile & { readonly kind: 'loaded' }, project: string): ProjectHook[] {
  return file.rules.flatMap(({ event, matcher, index, actions }) =>
    actions.map(
      (action): ProjectHook => ({
        event,
        name: `${plugin.name}:${event}#${index + 1}.${action.index + 1}`,
        command: action.command,
        ...(matcher === undefined ? {} : { matcher }),
        path: plugin.hooksPath,
        key: action.key,
        content: { plugin: plugin.name, timeout: `${action.timeout}`, onFailure: action.onFailure },
        folders: { PLUGIN_ROOT: plugin.root, PWD: project },
        cwd: project,
      }),
    ),
  );
}
