import type { Problem } from '../../problems.ts';
import { looksSecret, secretNames } from '../../secrets.ts';
import { breaksPastedRaw, type Place, quotings, substitute } from '../../shell-text.ts';
import type { Start } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import type { StartWish, Where } from '../format.ts';
import type { GooseHook } from './detail.ts';
import { say } from './words.ts';

/** Between SIGTERM and SIGKILL, in ms (goose itself sends SIGKILL at once, and only to the shell). */
const graceMs = 2000;

/**
 * How goose starts a hook: `sh` from PATH, in the host's own folder, with all of the host's environment and PLUGIN_ROOT (goose, "Running").
 * `${PLUGIN_ROOT}` in the command is put in as text only where that is harmless, else as a reference (design: values never become code).
 */
export function start(hook: GooseHook, where: Where, wish: StartWish): Start {
  const { root } = hook.detail;
  const { command, env, places } = substitute(hook.command, { PLUGIN_ROOT: root }, { style: 'braces' });
  const host = environment(where.env, wish.env === 'sanitized');
  const place = { path: hook.source.path, key: `${hook.source.key}.command` };
  return {
    file: 'sh',
    args: ['-c', command],
    shown: command,
    env: { ...host.kept, PLUGIN_ROOT: root, ...env, ...wish.extraEnv },
    cwd: where.project,
    stdio: 'pipes',
    graceMs,
    removedEnv: host.removed,
    problems: places.flatMap((one): Problem[] => {
      if (one.as === 'refused' || (one.as === 'left' && one.quoting !== 'comment'))
        return [say('goose-plugin-root-unreachable', place, quotings[one.quoting])];
      return breaksPastedRaw(one, root) ? [differsHere(place, one)] : [];
    }),
  };
}

/** The row `goose-plugin-root` of the table of differences, where it makes one. */
const differsHere = (place: { path: string; key: string }, { quoting }: Place): Problem =>
  sayStage(
    'engine-differs',
    place,
    'goose-plugin-root',
    `\${PLUGIN_ROOT} ${quotings[quoting]} is replaced by the path as text, whose special characters then break the command or run as shell code`,
    'the path stays a value; "$PLUGIN_ROOT" in double quotes works in both',
  );

function environment(host: Where['env'], sanitized: boolean): { kept: Record<string, string>; removed: string[] } {
  const entries = Object.entries(host).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const isKept = ([name, value]: [string, string]): boolean => !sanitized || !(secretNames(name) || looksSecret(value));
  return {
    kept: Object.fromEntries(entries.filter(isKept)),
    removed: entries.filter((entry) => !isKept(entry)).map(([name]) => name),
  };
}
