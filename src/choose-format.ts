import { HookrunError } from './errors.ts';
import type { FormatEntry, Where } from './formats/format.ts';
import type { RawPayload } from './payload.ts';
import type { Problem } from './problems.ts';
import { say } from './words.ts';

export interface Choice {
  readonly entry: FormatEntry;
  readonly problems: readonly Problem[];
}

/**
 * The agent that a payload belongs to: what `--format` says, else what its shape speaks for, else whose config exists. Throws
 * `HookrunError` (usage) on a tie, saying what was seen.
 */
export function chooseFormat(
  wanted: string,
  raw: RawPayload,
  eventFlag: string | undefined,
  formats: readonly FormatEntry[],
  where: Where,
): Choice {
  if (wanted !== 'auto') {
    const entry = formats.find((one) => one.name === wanted);
    const known = formats.map((one) => one.name).join(', ');
    if (entry === undefined) throw new HookrunError('usage', say('format-unknown', {}, wanted, known));
    return { entry, problems: [] };
  }
  const seen = formats.map((entry) => {
    const value = eventFlag === undefined ? raw.value : { ...raw.value, [entry.eventField]: eventFlag };
    return { entry, ...entry.recognise(value) };
  });
  const best = Math.max(...seen.map((one) => one.score));
  const candidates = seen.filter((one) => one.score === best && best > 0);
  if (candidates.length === 1)
    return { entry: candidates[0]!.entry, problems: misfit(candidates[0]!.entry, raw, formats, where) };
  if (candidates.length === 0) {
    const fields = [...new Set(formats.map((entry) => entry.eventField))];
    const field = fields.find((one) => raw.value[one] !== undefined);
    const name = eventFlag ?? (field === undefined ? undefined : raw.value[field]);
    const what =
      name === undefined ? `it has no ${fields.join(' and no ')}` : `no agent has an event ${JSON.stringify(name)}`;
    // A name that nobody knows is the payload's fault where it stands there.
    const kind = eventFlag === undefined && field !== undefined ? 'payload' : 'usage';
    throw new HookrunError(kind, say('format-unclear', { path: raw.from }, what), adviceFor(formats));
  }
  const configured = candidates.filter(({ entry }) => configsOf(entry, raw, where).length > 0);
  if (configured.length === 1) return { entry: configured[0]!.entry, problems: [] };
  const what = `${candidates.map((one) => `${one.entry.title} (${one.seen})`).join(' or ')}; ${
    configured.length === 0 ? 'none of them is configured here' : 'more than one of them is configured here'
  }`;
  throw new HookrunError('usage', say('format-unclear', { path: raw.from }, what), adviceFor(formats));
}

const adviceFor = (formats: readonly FormatEntry[]): string =>
  `--format ${formats.map((one) => one.name).join('|')} says which agent it is`;

/** The agent's config files in the folder that the payload is about, which need not be the current one. */
function configsOf(entry: FormatEntry, raw: RawPayload, where: Where): string[] {
  const folder = raw.value[entry.folderField];
  const project = typeof folder === 'string' && folder.startsWith('/') ? folder : where.project;
  return entry.configs({ ...where, project });
}

function misfit(entry: FormatEntry, raw: RawPayload, formats: readonly FormatEntry[], where: Where): Problem[] {
  if (formats.length < 2 || configsOf(entry, raw, where).length > 0) return [];
  const others = formats.filter((one) => one !== entry && configsOf(one, raw, where).length > 0);
  if (others.length === 0) return [];
  return [say('format-misfit', {}, entry.title, others.map((one) => one.title).join(' and '), others[0]!.name)];
}
