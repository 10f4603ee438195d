import { dirname, join, sep } from 'node:path';
import { tryConfigText } from '../../config-file.ts';
import type { Problem } from '../../problems.ts';
import { toJson } from '../../to-json.ts';
import type { TrustAnswer, Where } from '../format.ts';
import type { SettingsFile } from './settings.ts';
import { say } from './words.ts';

const undecided: TrustAnswer = { state: 'undecided', by: 'nobody has decided about this folder' };

/**
 * What Gemini CLI's own files say about the project: the variable first, then the user's and the system's switch, then the list of
 * trusted folders (rules 50, 51, "Extensions": Trust). A project can't speak for itself.
 */
export async function readTrust(
  where: Where,
  own: readonly SettingsFile[],
): Promise<{ trust: TrustAnswer; problems: Problem[] }> {
  const answer = (state: TrustAnswer['state'], by: string, problems: Problem[] = []) => ({
    trust: { state, by },
    problems,
  });
  if (where.explicit.length > 0) return answer('trusted', '--config');
  const variable = where.env['GEMINI_CLI_TRUST_WORKSPACE'];
  if (variable === 'true') return answer('trusted', 'GEMINI_CLI_TRUST_WORKSPACE=true');
  if (variable === 'false') return answer('untrusted', 'GEMINI_CLI_TRUST_WORKSPACE=false');
  const off = own.findLast((file) => typeof folderTrust(file) === 'boolean');
  if (off !== undefined && folderTrust(off) === false)
    return answer('trusted', `security.folderTrust.enabled is false in ${off.path}`);
  return readTrustedFolders(where);
}

function folderTrust(file: SettingsFile): unknown {
  const security = file.value['security'];
  const trust = (security as { folderTrust?: unknown } | null | undefined)?.folderTrust;
  return (trust as { enabled?: unknown } | null | undefined)?.enabled;
}

/** The list of trusted folders: of the rules that hold the project the one with the longest path wins. */
async function readTrustedFolders(where: Where): Promise<{ trust: TrustAnswer; problems: Problem[] }> {
  const path = where.env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(where.home, '.gemini', 'trustedFolders.json');
  const found = tryConfigText(where.fs, path);
  if ('missing' in found) return { trust: undecided, problems: [] };
  const bad = (why: string) => ({ trust: undecided, problems: [say('gemini-trusted-folders', { path }, why)] });
  if ('why' in found) return bad(found.why);
  let rules: unknown;
  try {
    const { stripComments } = await import('jsonc-parser');
    rules = JSON.parse(stripComments(found.text, ' '));
  } catch {
    return bad('it is not valid JSON');
  }
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) return bad('it is no object');

  const project = realOf(where, where.project);
  let longest = -1;
  let state: TrustAnswer['state'] = 'undecided';
  let by = undecided.by;
  for (const [folder, value] of Object.entries(rules)) {
    if (value !== 'TRUST_FOLDER' && value !== 'TRUST_PARENT' && value !== 'DO_NOT_TRUST')
      return bad(`${JSON.stringify(folder)} has the unknown value ${toJson(value)}`);
    const spokenFor = realOf(where, value === 'TRUST_PARENT' ? dirname(folder) : folder);
    if (!isInside(project, spokenFor) || spokenFor.length < longest) continue;
    // Two rules for one folder: a refusal is not undone by the other.
    if (spokenFor.length === longest && value !== 'DO_NOT_TRUST') continue;
    longest = spokenFor.length;
    state = value === 'DO_NOT_TRUST' ? 'untrusted' : 'trusted';
    by = `${value} for ${folder} in ${path}`;
  }
  return { trust: { state, by }, problems: [] };
}

const realOf = (where: Where, path: string): string => where.fs.real(path) ?? path;

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
