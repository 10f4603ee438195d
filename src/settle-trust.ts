import { HookrunError } from './errors.ts';
import type { Fingerprint } from './fingerprint.ts';
import { changesBetween, describeChange } from './fingerprint-changes.ts';
import type { Config, Format, ProjectClaims, TrustAnswer, Where } from './formats/format.ts';
import { lookForSettings, settingsClaims } from './own-settings/project.ts';
import type { Problem } from './problems.ts';
import { readTrustStore, type TrustRecord } from './trust-store.ts';
import type { HookGuard } from './types.ts';
import { say } from './words.ts';
import type { World } from './world.ts';

/** Whom the question is about: one agent's configuration in one folder. */
export interface TrustQuestion {
  readonly format: Pick<Format, 'name'>;
  readonly config: Config;
  readonly where: Where;
  readonly world: Pick<World, 'fs' | 'env' | 'home' | 'trustFile'>;
}

/** Whether a project is trusted, and what there is to say about it. */
export interface Settled extends TrustAnswer {
  readonly problems: readonly Problem[];
  /** What is no longer as it was trusted, in words. */
  readonly changes?: readonly string[];
  /** Set where the content itself was trusted: holds each hook to it. */
  readonly guard?: HookGuard;
}

/** hookrun's own settings of a project are part of what is trusted: this is the one place where they come in. */
async function ownSettings(where: Where): Promise<Readonly<Record<string, unknown>>> {
  const found = lookForSettings(where);
  return found === undefined ? {} : settingsClaims(await found.read());
}

/** What a project brought along, with its fingerprint. */
export interface Brought {
  readonly claims: ProjectClaims;
  /** hookrun's own settings that count. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly fingerprint: Fingerprint;
}

/** What a project brought along; undefined where it holds nothing. Throws as `Config.project` does. */
export async function fingerprintHere({ format, config, where }: TrustQuestion): Promise<Brought | undefined> {
  const more = await ownSettings(where);
  const brought = config.project?.();
  if (brought === undefined && Object.keys(more).length === 0) return undefined;
  const claims = brought ?? { hooks: [], switches: [] };
  const { fingerprintOf } = await import('./fingerprint.ts');
  return { claims, settings: more, fingerprint: fingerprintOf(claims, format.name, where, more) };
}

/** hookrun's record about this very folder, by its real path. Throws `HookrunError` (input-file) for a store that can't be believed. */
export function recordHere({ format, where, world }: TrustQuestion): TrustRecord | undefined {
  const project = world.fs.real(where.project) ?? where.project;
  const records = readTrustStore(world.trustFile, world.fs, project, world.home);
  return records.find((record) => record.path === project && record.format === format.name);
}

/**
 * Who decides: HOOKRUN_TRUST with a fingerprint, which trusts that content and no other; then a refusal, hookrun's own or the agent's; then
 * hookrun's record, which counts as long as nothing has changed; then the agent's own files. A record that can't be read decides nothing,
 * and lets nobody else decide in favour either: it might have been a refusal.
 */
export async function settleTrust(question: TrustQuestion): Promise<Settled> {
  const { config, world } = question;
  const variable = wantedBy(world.env['HOOKRUN_TRUST'] ?? '');
  if (variable.fingerprints.length > 0) return byVariable(question, variable.fingerprints);
  const problems: Problem[] = [...variable.problems];
  let record: TrustRecord | undefined;
  try {
    record = recordHere(question);
  } catch (error) {
    if (!(error instanceof HookrunError)) throw error;
    problems.push(error.problem);
    if (config.trust.state === 'untrusted') return { ...config.trust, problems };
    return { state: 'undecided', by: `${world.trustFile.path} can't be used`, problems };
  }
  if (record?.decision === 'denied')
    return { state: 'untrusted', by: `hookrun trust --deny, ${record.date.slice(0, 10)}`, problems };
  if (config.trust.state === 'untrusted' || record === undefined) return { ...config.trust, problems };
  return { ...(await byRecord(question, record)), problems };
}

const isFingerprint = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Several fingerprints, for several agents, stand behind each other with commas between them. */
function wantedBy(value: string): { readonly fingerprints: readonly string[]; readonly problems: readonly Problem[] } {
  const parts = value
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  if (parts.length > 0 && parts.every(isFingerprint)) return { fingerprints: parts, problems: [] };
  const isNone = value === '' || value === '0' || value === '1';
  return { fingerprints: [], problems: isNone ? [] : [say('trust-variable', {}, value.slice(0, 100))] };
}

async function byVariable(question: TrustQuestion, wanted: readonly string[]): Promise<Settled> {
  const here = await fingerprintHere(question);
  if (here === undefined) return { ...question.config.trust, problems: [] };
  const { hash } = here.fingerprint;
  if (wanted.includes(hash)) {
    const guard = await guardFor(question, here);
    return { state: 'trusted', by: 'HOOKRUN_TRUST=<fingerprint>', problems: [], guard };
  }
  const differs = `its fingerprint is ${hash}, and HOOKRUN_TRUST has ${wanted.join(', ')}`;
  // With that content on record here, what changed can be said too.
  const record = recordOrNone(question);
  const known = record?.fingerprint !== undefined && wanted.includes(record.fingerprint) ? record.parts : undefined;
  const named = known === undefined ? [] : changesBetween(known, here.fingerprint.parts).map(describeChange);
  return { state: 'undecided', by: differs, changes: [...named, differs], problems: [] };
}

function recordOrNone(question: TrustQuestion): TrustRecord | undefined {
  try {
    return recordHere(question);
  } catch (error) {
    if (error instanceof HookrunError) return undefined;
    throw error;
  }
}

async function byRecord(question: TrustQuestion, record: TrustRecord): Promise<Omit<Settled, 'problems'>> {
  const day = record.date.slice(0, 10);
  const here = await fingerprintHere(question);
  if (here === undefined)
    return { state: 'undecided', by: `trusted on ${day}`, changes: ['everything that was trusted is gone'] };
  if (here.fingerprint.hash === record.fingerprint)
    return { state: 'trusted', by: `hookrun trust, ${day}`, guard: await guardFor(question, here) };
  const changes = changesBetween(record.parts!, here.fingerprint.parts).map(describeChange);
  const by = `it has changed since it was trusted (${day})`;
  return { state: 'undecided', by, changes: changes.length === 0 ? ['how hookrun takes fingerprints'] : changes };
}

async function guardFor({ where, world }: TrustQuestion, here: Brought): Promise<HookGuard> {
  const { createGuard } = await import('./script-guard.ts');
  return createGuard(here.claims, here.fingerprint, where.project, world.fs);
}
