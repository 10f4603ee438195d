import { createMask } from '../mask.ts';
import type { TrustOptions } from '../options.ts';
import type { Problem } from '../problems.ts';
import { type Settled, settleTrust } from '../settle-trust.ts';
import { plain } from '../shown.ts';
import { toJson } from '../to-json.ts';
import { type FormatView, hookView, lines, recordView, switchViews, type TrustDocument } from '../trust-document.ts';
import { filesOfHook, type ProjectHere, projectFolder, readProjects } from '../trust-projects.ts';
import { changeTrustStore, readTrustStore, type TrustRecord } from '../trust-store.ts';
import type { World } from '../world.ts';

/** What a command has to say: the document, lines for people, the exit code. */
interface Said {
  readonly trust: Omit<TrustDocument['trust'], 'store' | 'warnings'>;
  readonly problems?: readonly Problem[];
  readonly text: readonly string[];
  readonly code: number;
}

/** `hookrun trust`. Returns the exit code. Throws `HookrunError` for a folder, a configuration or a store that can't be used. */
export async function trust(options: TrustOptions, world: World): Promise<number> {
  if (options.action === 'list') return say(list(world), options, world);
  const project = projectFolder(options.dir, world);
  const all = await readProjects(project, options.format, world, options.action !== 'deny');
  const folder = world.fs.real(project) ?? project;
  if (options.action === 'deny') return say(await deny(all, folder, world), options, world);
  const here = all.filter((one) => one.here !== undefined);
  if (options.action === 'fingerprint') return fingerprint(here, folder, options, world);
  if (options.action === 'trust') await changeTrustStore(world.trustFile, world.fs, recordsFor(here, folder, world));
  const views: Viewed[] = [];
  for (const one of here) views.push(await viewOf(one, world));
  return say(answer(views, folder, options.action), options, world);
}

const day = (record: Pick<TrustRecord, 'date'>): string => record.date.slice(0, 10);

function list(world: World): Said {
  const records = readTrustStore(world.trustFile, world.fs);
  const text = records.map(
    ({ path, format, decision, ...record }) => `${decision} ${path} (${format}, ${day(record)})`,
  );
  return {
    trust: { action: 'list', records: records.map(recordView) },
    text: text.length === 0 ? ['no folder was decided about yet'] : text,
    code: 0,
  };
}

const recordBase = (one: ProjectHere, path: string, world: World) => ({
  path,
  format: one.question.format.name,
  date: world.now().toISOString(),
  hookrun: __VERSION__,
});

const recordsFor = (here: readonly ProjectHere[], folder: string, world: World): TrustRecord[] =>
  here.map((one): TrustRecord => {
    const { hash, parts } = one.here!.fingerprint;
    return { ...recordBase(one, folder, world), decision: 'trusted', fingerprint: hash, parts };
  });

async function deny(all: readonly ProjectHere[], folder: string, world: World): Promise<Said> {
  const records = all.map((one): TrustRecord => ({ ...recordBase(one, folder, world), decision: 'denied' }));
  await changeTrustStore(world.trustFile, world.fs, records);
  return {
    trust: { action: 'deny', folder, records },
    text: records.map(({ format }) => `denied ${folder} (${format}): what it brings along is left out`),
    code: 0,
  };
}

async function fingerprint(
  here: readonly ProjectHere[],
  folder: string,
  options: TrustOptions,
  world: World,
): Promise<number> {
  const hashes = here.map((one) => one.here!.fingerprint.hash);
  if (options.plain) {
    await world.stdout.write(`${hashes.join(',')}\n`);
    return 0;
  }
  const views: Viewed[] = [];
  for (const one of here) views.push(await viewOf(one, world));
  return say(
    {
      trust: { action: 'fingerprint', folder, formats: views.map(({ view }) => view) },
      text: [
        ...views.map(({ view }) => `${view.fingerprint} (${view.format})`),
        ...(here.length === 0 ? [nothing(folder)] : []),
      ],
      code: 0,
    },
    options,
    world,
  );
}

const nothing = (folder: string): string => `${folder} brings nothing along that would run or change what runs`;

interface Viewed {
  readonly view: FormatView;
  readonly settled: Settled;
}

async function viewOf({ question, here }: ProjectHere, world: World): Promise<Viewed> {
  const settled: Settled =
    world.env['HOOKRUN_TRUST'] === '1'
      ? { state: 'trusted', by: 'HOOKRUN_TRUST=1', problems: [] }
      : await settleTrust(question);
  const { claims, settings, fingerprint: made } = here!;
  const view: FormatView = {
    format: question.format.name,
    state: settled.state,
    by: settled.by,
    fingerprint: made.hash,
    hooks: claims.hooks.map((hook) => {
      const { files, missing } = filesOfHook(hook, made);
      return hookView(hook, files, missing);
    }),
    switches: switchViews(claims),
    settings,
    ...(settled.changes === undefined ? {} : { changes: settled.changes }),
  };
  return { view, settled };
}

/** Shown and recorded, checked or compared: the same document, with more or less said about it. */
function answer(views: readonly Viewed[], folder: string, action: TrustOptions['action']): Said {
  const text = views.flatMap(({ view }) => [
    ...(action === 'check' || (action === 'diff' && (view.changes !== undefined || view.state === 'trusted'))
      ? []
      : [`${folder} (${view.format}) brings along:`, ...lines(view)]),
    ...(action === 'diff' ? (view.changes ?? []).map((change) => `  ${change}`) : []),
    standing(view, folder, action),
  ]);
  const problems = new Map(views.flatMap(({ settled }) => settled.problems.map((one) => [one.message, one])));
  return {
    trust: { action, folder, formats: views.map(({ view }) => view) },
    problems: [...problems.values()],
    text: views.length === 0 ? [nothing(folder)] : text,
    code: views.every(({ view }) => view.state === 'trusted') ? 0 : 2,
  };
}

function standing({ state, by, format, changes }: FormatView, folder: string, action: TrustOptions['action']): string {
  if (state === 'trusted') return `trusted ${folder} (${format}): ${by}`;
  const but = action === 'trust' ? 'recorded, but still ' : '';
  const detail = changes === undefined || action === 'diff' ? '' : `: ${changes.join(', ')}`;
  return `${but}${state === 'untrusted' ? 'denied' : 'not trusted'} ${folder} (${format}): ${by || 'nobody has decided about it'}${detail}`;
}

/** Prints the one document, and for people what it says. */
async function say(said: Said, options: Pick<TrustOptions, 'quiet'>, world: World): Promise<number> {
  const mask = createMask([world.env], world.fs);
  const problems = said.problems ?? [];
  const warnings = problems.map(({ code, message, path }) => ({
    code,
    message,
    ...(path === undefined ? {} : { path }),
  }));
  const document: TrustDocument = {
    schemaVersion: 1,
    trust: { ...said.trust, store: world.trustFile.path, warnings },
  };
  const text = [
    ...said.text,
    ...warnings.map(
      ({ code, path, message }) => `warning [${code}] ${path === undefined ? '' : `${path}: `}${message}`,
    ),
  ].map((line) => `${/^ */.exec(line)![0]}${plain(mask.text(line))}`);
  if (!options.quiet) await world.stderr.write(`${text.join('\n')}\n`);
  await world.stdout.write(`${toJson(mask.data(document), world.stdout.isTTY ? 2 : undefined)}\n`);
  return said.code;
}

export { say as sayTrust };
