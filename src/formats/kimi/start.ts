import { resolve } from 'node:path';
import type { Problem } from '../../problems.ts';
import { looksSecret, secretNames } from '../../secrets.ts';
import type { HookEvent, Start } from '../../types.ts';
import type { StartWish, Where } from '../format.ts';
import type { KimiHook } from './detail.ts';
import { say } from './words.ts';

/** Between SIGTERM and SIGKILL (Kimi protocol, Running). */
const graceMs = 100;

/**
 * How Kimi Code starts a hook: /bin/sh in the payload's folder with the whole environment; a plugin's hook in the plugin's folder
 * with two variables more, while the payload's cwd stays the project's. PATH is not extended by a login shell's entries
 * (row kimi-login-path). A folder that does not exist is not made up for: the hook then can't start, as in the engine.
 */
export function start(hook: KimiHook, event: HookEvent, where: Where, wish: StartWish): Start {
  const { plugin } = hook.detail;
  const { kept, removed } = environment(where.env, wish.env === 'sanitized');
  const added = plugin === undefined ? {} : { KIMI_CODE_HOME: plugin.home, KIMI_PLUGIN_ROOT: plugin.root };
  const env = { ...kept, ...added, ...wish.extraEnv };
  return {
    file: '/bin/sh',
    args: ['-c', hook.command],
    shown: hook.command,
    env,
    cwd: plugin?.root ?? (event.cwd === undefined ? where.project : resolve(where.cwd, event.cwd)),
    stdio: 'sockets',
    graceMs,
    removedEnv: removed,
    problems: [...templates(hook), ...foreignVariables(hook, env)],
  };
}

function environment(
  host: Where['env'],
  sanitized: boolean,
): { kept: Record<string, string>; removed: readonly string[] } {
  const entries = Object.entries(host).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const isSecret = ([name, value]: [string, string]): boolean => sanitized && (secretNames(name) || looksSecret(value));
  return {
    kept: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    removed: entries.filter(isSecret).map(([name]) => name),
  };
}

const template = /\{\{\s*(?:tool|hook|session|payload|event|prompt|cwd|args?|input)[\w.]*\s*\}\}/;

/** A command that expects the payload to be pasted into it. */
function templates({ command, source }: KimiHook): Problem[] {
  const found = template.exec(command)?.[0];
  return found === undefined ? [] : [say('kimi-template', { path: source.path, key: `${source.key}.command` }, found)];
}

/** Variables that other agents, or old instructions, promise to hooks; `${X:-…}` knows that they may be missing. */
const promised =
  /\$\{?(TOOL_(?:INPUT|NAME|OUTPUT)|HOOK_EVENT_NAME|CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT|TOOL_\w+)|GEMINI_(?:PROJECT_DIR|CWD|SESSION_ID|PLANS_DIR)|PLUGIN_ROOT|KIMI_(?:PROJECT_DIR|PLUGIN_ROOT|TOOL_\w+|SESSION_ID))\b(?!:?[-+?=])/;

function foreignVariables({ command, source }: KimiHook, env: Readonly<Record<string, string>>): Problem[] {
  const name = promised.exec(command)?.[1];
  if (name === undefined || Object.hasOwn(env, name) || command.includes(`${name}=`)) return [];
  return [say('kimi-foreign-variable', { path: source.path, key: `${source.key}.command` }, name)];
}
