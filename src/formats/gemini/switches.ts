import type { Env } from '../../types.ts';
import type { Where } from '../format.ts';
import { isStrict, sanitize } from './environment.ts';
import { expandEnv } from './expand.ts';
import type { ExtensionRules } from './extensions.ts';
import type { SettingsFile } from './settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the settings say besides the hooks themselves. */
export interface Switches {
  /** `hooksConfig.enabled`, and the file that switched it off. */
  readonly off: SettingsFile | undefined;
  /** `hooksConfig.disabled` of all scopes together, with the file that says it (rule 44). */
  readonly disabled: ReadonlyMap<string, SettingsFile>;
  readonly extensions: ExtensionRules;
  readonly redaction: Redaction;
  /** `general.plan.directory`. */
  readonly plansDirectory: string | undefined;
}

/** `security.environmentVariableRedaction`. */
export interface Redaction {
  /** undefined: nobody but perhaps the project has said anything. */
  readonly enabled: boolean | undefined;
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of keys, or undefined where there is none. */
function at(file: SettingsFile, ...keys: readonly string[]): unknown {
  let value: unknown = file.value;
  for (const key of keys) value = isJson(value) ? value[key] : undefined;
  return value;
}

/** The last scope that has a boolean there speaks (rule 44: overridden scope by scope). */
const lastBoolean = (files: readonly SettingsFile[], ...keys: readonly string[]): SettingsFile | undefined =>
  files.findLast((file) => typeof at(file, ...keys) === 'boolean');

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Reads the switches of all files that count, in plan order. Pure. */
export function readSwitches(files: readonly SettingsFile[], where: FromWhere): Switches {
  const redaction = readRedaction(files);
  const enabled = lastBoolean(files, 'hooksConfig', 'enabled');
  const disabled = new Map<string, SettingsFile>();
  for (const file of files)
    for (const name of strings(at(file, 'hooksConfig', 'disabled')))
      disabled.set(expanderOf(file, redaction, where)(name), file);
  const extensions = lastBoolean(files, 'admin', 'extensions', 'enabled');
  const blockGit = lastBoolean(files, 'security', 'blockGitExtensions');
  const allowed = files.findLast((file) => Array.isArray(at(file, 'security', 'allowedExtensions')));
  const plans = files.findLast((file) => typeof at(file, 'general', 'plan', 'directory') === 'string');
  return {
    off: enabled !== undefined && at(enabled, 'hooksConfig', 'enabled') === false ? enabled : undefined,
    disabled,
    extensions: {
      enabled: extensions === undefined || at(extensions, 'admin', 'extensions', 'enabled') === true,
      allowedSources: allowed === undefined ? undefined : strings(at(allowed, 'security', 'allowedExtensions')),
      blockGit: blockGit !== undefined && at(blockGit, 'security', 'blockGitExtensions') === true,
    },
    redaction,
    plansDirectory:
      plans === undefined
        ? undefined
        : expanderOf(plans, redaction, where)(at(plans, 'general', 'plan', 'directory') as string),
  };
}

type FromWhere = Pick<Where, 'env' | 'inheritsEnv'>;

/**
 * Replaces `$VAR` and its like in a file's texts, in a project's from what its hooks may see (difference `gemini-environment`): its
 * `env` would else carry the user's secrets into them.
 */
export function expanderOf(file: SettingsFile, redaction: Redaction, where: FromWhere): (text: string) => string {
  if (file.scope !== 'project') return (text) => expandEnv(text, where.env);
  let env: Env | undefined;
  // Most texts have nothing to replace, and a look at every variable costs more than the rest of the file.
  return (text) => {
    if (!text.includes('$')) return text;
    env ??= seenByProject(redaction, where);
    return expandEnv(text, env);
  };
}

function seenByProject({ enabled, allowed, blocked }: Redaction, { env, inheritsEnv }: FromWhere): Env {
  return sanitize(env, { enabled: enabled ?? !inheritsEnv, strict: isStrict(env), allowed, blocked }).env;
}

/** A project can ask for less of the environment, never for more: its `enabled: false` and `allowed` do not count. */
function readRedaction(files: readonly SettingsFile[]): Redaction {
  const key = ['security', 'environmentVariableRedaction'];
  const own = files.filter((file) => file.scope !== 'project');
  const switched = lastBoolean(own, ...key, 'enabled');
  const byProject = files.some((file) => file.scope === 'project' && at(file, ...key, 'enabled') === true);
  return {
    enabled: byProject || (switched === undefined ? undefined : at(switched, ...key, 'enabled') === true),
    allowed: own.flatMap((file) => strings(at(file, ...key, 'allowed'))),
    blocked: files.flatMap((file) => strings(at(file, ...key, 'blocked'))),
  };
}
