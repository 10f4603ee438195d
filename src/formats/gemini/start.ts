import { basename, join } from 'node:path';
import { tryConfigText } from '../../config-file.ts';
import type { Problem } from '../../problems.ts';
import type { HookEvent, Start } from '../../types.ts';
import type { StartWish, Where } from '../format.ts';
import { type CommandNote, extensionCommand, startCommand } from './command.ts';
import type { GeminiHook } from './detail.ts';
import { hookEnvironment, isStrict, type SanitizeRules, sanitize } from './environment.ts';
import { say } from './words.ts';

/** SIGTERM, and 5 s later SIGKILL: documented by Gemini CLI, though its engine forgets the second (difference 9). */
const graceMs = 5000;

const noteCodes = {
  'engine-would-break': 'gemini-quoted-variable',
  'longer-name': 'gemini-longer-name',
  unreachable: 'gemini-unreachable-variable',
} as const;

/** How a hook's process is started: `bash -c` in the payload's cwd (rules 19, 20, 54 to 57). */
export function startOf(hook: GeminiHook, event: HookEvent, where: Where, wish: StartWish): Start {
  const cwd = event.cwd ?? where.project;
  const plansDir = plansFolder(where, cwd, event.sessionId, hook.detail.plansDirectory);
  const { env: base, removed } = baseEnvironment(hook, where, wish);
  const { extension } = hook.detail;
  const first = extension === undefined ? undefined : extensionCommand(hook.command, extension.variables);
  const second = startCommand(first?.command ?? hook.command, {
    GEMINI_PROJECT_DIR: cwd,
    GEMINI_CWD: cwd,
    GEMINI_PLANS_DIR: plansDir,
    GEMINI_SESSION_ID: event.sessionId,
    CLAUDE_PROJECT_DIR: cwd,
  });
  const hookEnv = hook.detail.env;
  const env = hookEnvironment(base, {
    cwd,
    sessionId: event.sessionId,
    plansDir,
    hookEnv: typeof hookEnv === 'object' && hookEnv !== null ? (hookEnv as Record<string, unknown>) : undefined,
    extensionEnv: extension?.env,
  });
  return {
    file: 'bash',
    args: ['-c', second.command],
    shown: second.command,
    env: { ...env, ...first?.env, ...second.env, ...wish.extraEnv },
    cwd,
    stdio: 'sockets',
    graceMs,
    cannot:
      hook.detail.notCommand === undefined
        ? undefined
        : `command must be a string, but it is ${hook.detail.notCommand}`,
    removedEnv: removed,
    problems: problemsOf([...(first?.notes ?? []), ...second.notes], hook),
  };
}

function problemsOf(notes: readonly CommandNote[], hook: GeminiHook): Problem[] {
  const place = { path: hook.source.path, key: hook.source.key };
  return notes.map((note) => say(noteCodes[note.kind], place, note.text));
}

type Sanitized = ReturnType<typeof sanitize>;

/** The hooks of an event mostly have the same environment. Not kept beyond it: whoever calls `main` again may have changed it. */
const sanitized = new WeakMap<Where, Map<string, Sanitized>>();

/** What a cache has for a key, made if it has nothing. */
function kept<K, V>(cache: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) {
    value = make();
    cache.set(key, value);
  }
  return value;
}

/**
 * What of the host's environment a hook gets (design: "Environment"). The user's own hooks get what the engine gives; those that a
 * project or an extension brought along get a sanitized one unless the user's settings say otherwise.
 */
function baseEnvironment(hook: GeminiHook, where: Where, wish: StartWish) {
  const { redaction } = hook.detail;
  const brought = hook.source.scope === 'project' || hook.source.scope === 'extension';
  const strict = isStrict(where.env);
  const byEngine = redaction.enabled ?? false;
  const enabled =
    wish.env === 'sanitized' || (wish.env === 'inherit' ? byEngine : brought ? (redaction.enabled ?? true) : byEngine);
  const rules: SanitizeRules = { enabled, strict, allowed: redaction.allowed, blocked: redaction.blocked };
  return kept(
    kept(sanitized, where, () => new Map<string, Sanitized>()),
    JSON.stringify(rules),
    () => sanitize(where.env, rules),
  );
}

/** One look at projects.json an event. */
const slugs = new WeakMap<Where, Map<string, string>>();

/** `~/.gemini/tmp/<slug>/<session id>/plans`, the slug from projects.json, else the folder's name. */
function plansFolder(where: Where, project: string, sessionId: string, configured: string | undefined): string {
  if (configured !== undefined && configured !== '') return configured;
  const bySlug = kept(slugs, where, () => new Map<string, string>());
  const slug = kept(bySlug, project, () => slugOf(where, project));
  return join(where.home, '.gemini', 'tmp', slug, sessionId, 'plans');
}

function slugOf(where: Where, project: string): string {
  const file = tryConfigText(where.fs, join(where.home, '.gemini', 'projects.json'));
  if ('text' in file)
    try {
      const slug = (JSON.parse(file.text) as { projects?: Record<string, unknown> } | null)?.projects?.[project];
      if (typeof slug === 'string') return slug;
    } catch {
      // The engine falls back in the same way.
    }
  return basename(project);
}
