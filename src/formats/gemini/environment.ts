import { looksSecret, secretNames } from '../../secrets.ts';

/** How the environment of a hook is cleaned: `security.environmentVariableRedaction`, and whether a CI forces it. */
export interface SanitizeRules {
  readonly enabled: boolean;
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  readonly strict: boolean;
}

/** Names that stay whatever they hold (rule 6), even in strict mode. */
const ALWAYS_KEPT: ReadonlySet<string> = new Set(
  [
    'PATH HOME LANG SHELL TMPDIR USER LOGNAME TERM COLORTERM',
    'SYSTEMROOT COMSPEC PATHEXT WINDIR TEMP TMP USERPROFILE SYSTEMDRIVE',
    'ADDITIONAL_CONTEXT AVAILABLE_LABELS BRANCH_NAME DESCRIPTION EVENT_NAME GITHUB_ENV IS_PULL_REQUEST',
    'ISSUES_TO_TRIAGE ISSUE_BODY ISSUE_NUMBER ISSUE_TITLE PULL_REQUEST_NUMBER REPOSITORY TITLE TRIGGERING_ACTOR',
  ].flatMap((names) => names.split(' ')),
);

/** Names that go although nothing in them says "secret" (rule 7). */
const ALWAYS_REMOVED: ReadonlySet<string> = new Set(
  [
    'CLIENT_ID DB_URI CONNECTION_STRING AWS_DEFAULT_REGION AZURE_CLIENT_ID AZURE_TENANT_ID SLACK_WEBHOOK_URL',
    'TWILIO_ACCOUNT_SID DATABASE_URL GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_ACCOUNT FIREBASE_PROJECT_ID',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Whether Gemini CLI takes itself to run in a GitHub Action, where it sanitizes even when the settings do not ask for
 * it and keeps only what is listed (captures/gemini/env.md, "Sanitizing").
 */
export function isStrict(env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(env.GITHUB_SHA) || env.SURFACE === 'Github';
}

/**
 * The environment without what a hook must not see, and the names that were taken out, in the environment's order.
 * The ten rules of captures/gemini/env.md, "Sanitizing". Neither enabled nor strict: everything stays.
 */
export function sanitize(
  env: Readonly<Record<string, string | undefined>>,
  rules: SanitizeRules,
): { env: Record<string, string>; removed: string[] } {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (!rules.enabled && !rules.strict) return { env: Object.fromEntries(entries), removed: [] };

  const allowed = upperCased(rules.allowed);
  const blocked = upperCased(rules.blocked);
  const kept: [string, string][] = [];
  const removed: string[] = [];
  for (const [name, value] of entries)
    if (keeps(name.toUpperCase(), value, allowed, blocked, rules)) kept.push([name, value]);
    else removed.push(name);
  return { env: Object.fromEntries(kept), removed };
}

/** The first rule that speaks decides, so the order of these lines is the contract. */
function keeps(
  name: string,
  value: string,
  allowed: ReadonlySet<string>,
  blocked: ReadonlySet<string>,
  rules: SanitizeRules,
): boolean {
  if (name.startsWith('GEMINI_CLI_')) return true;
  if (looksSecret(value)) return false;
  if (name.startsWith('GIT_CONFIG_')) return true;
  if (allowed.has(name)) return true;
  if (blocked.has(name)) return false;
  if (ALWAYS_KEPT.has(name)) return true;
  if (ALWAYS_REMOVED.has(name)) return false;
  if (rules.strict) return false;
  return !secretNames(name);
}

function upperCased(names: readonly string[]): Set<string> {
  return new Set(names.map((name) => name.toUpperCase()));
}

/** What a hook's environment gets on top of the (sanitized) one of the host. */
export interface HookEnvironment {
  /** The payload's `cwd`: three variables say it. */
  readonly cwd: string;
  readonly sessionId: string;
  readonly plansDir: string;
  /** The hook's own `env` field, as it stands in the settings: any JSON values. */
  readonly hookEnv?: Readonly<Record<string, unknown>> | undefined;
  /** The settings of the extension that brought the hook; they stand above its `env` ("Extensions"). */
  readonly extensionEnv?: Readonly<Record<string, string>> | undefined;
}

/**
 * The environment a Gemini hook starts with: the base, Gemini CLI's five variables, the hook's `env`, the extension's
 * settings, later ones over earlier ones (captures/gemini/env.md, "Always"). None of what is added is sanitized.
 *
 * SHLVL is made to say that a shell runs already: bash on a socket else takes itself for one that rshd started and reads
 * ~/.bashrc, whose output would break the hook's JSON (Gemini rule 20, where hookrun differs on purpose).
 */
export function hookEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  { cwd, sessionId, plansDir, hookEnv, extensionEnv }: HookEnvironment,
): Record<string, string> {
  // A map, because a variable may be called __proto__ and assigning to that key of an object would lose it.
  const env = new Map<string, string>();
  for (const [name, value] of Object.entries(base)) if (value !== undefined) env.set(name, value);
  env.set('GEMINI_PROJECT_DIR', cwd);
  env.set('GEMINI_PLANS_DIR', plansDir);
  env.set('GEMINI_CWD', cwd);
  env.set('GEMINI_SESSION_ID', sessionId);
  env.set('CLAUDE_PROJECT_DIR', cwd);
  for (const [name, value] of Object.entries(hookEnv ?? {})) if (value !== undefined) env.set(name, asText(value));
  for (const [name, value] of Object.entries(extensionEnv ?? {})) env.set(name, value);
  env.set('SHLVL', shellLevel(env.get('SHLVL')));
  return Object.fromEntries(env);
}

/** Over 999 bash starts again at 1, which is the level that the rule is there to avoid. */
function shellLevel(level: string | undefined): string {
  return level !== undefined && /^0*[1-9]\d{0,2}$/.test(level) ? level : '1';
}

/** As Node turns the values of an environment into strings; an object that cannot be turned must not end the run. */
function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return '[object Object]';
  }
}
