/** Which plan trust allows (design: "Trust, as direnv does it"), on settings of every scope at once. */

import { describe, expect, it } from 'vitest';
import { type Decision, decisionSchema } from '../../src/decision-schema.ts';
import type { TrustState } from '../../src/formats/format.ts';
import { main } from '../../src/main.ts';
import { planDifferences } from '../../src/plan.ts';
import type { Hook, Plan } from '../../src/types.ts';
import {
  definition,
  HOME,
  hooksOf,
  PROJECT,
  PROJECT_SETTINGS,
  settingsOf,
  USER_SETTINGS,
  whereOf,
} from '../helpers/gemini.ts';
import { testWorld } from '../helpers/world.ts';

const extension = `${HOME}/.gemini/extensions/ext`;
/** One hook in each scope but the project's. */
const own = {
  '/etc/gemini-cli/system-defaults.json': settingsOf('BeforeTool', ['defaults']),
  [USER_SETTINGS]: settingsOf('BeforeTool', ['user']),
  '/etc/gemini-cli/settings.json': settingsOf('BeforeTool', ['system']),
  [`${extension}/gemini-extension.json`]: { name: 'ext', version: '1' },
  [`${extension}/hooks/hooks.json`]: settingsOf('BeforeTool', ['extension']),
};
const ownNames = ['defaults', 'user', 'system', 'extension'];

const words: Readonly<Record<TrustState, string | undefined>> = {
  trusted: 'true',
  untrusted: 'false',
  undecided: undefined,
};

interface Called {
  readonly code: number;
  readonly decision: Decision;
}

/** What hookrun makes of these files in a folder that is trusted, or not; with `--dry-run` unless told otherwise. */
async function plan(
  state: TrustState,
  project: object | string | undefined,
  files: object = own,
  args: readonly string[] = ['--dry-run'],
): Promise<Called> {
  const { fs } = whereOf({ ...files, ...(project === undefined ? {} : { [PROJECT_SETTINGS]: project }) });
  const payload = { cwd: PROJECT, hook_event_name: 'BeforeTool', tool_name: 'write_file', tool_input: {} };
  const env = { PATH: process.env['PATH'], GEMINI_CLI_TRUST_WORKSPACE: words[state] };
  const { world, stdout } = testWorld({ cwd: PROJECT, home: HOME, fs, env, stdin: JSON.stringify(payload) });
  const code = await main(['--format', 'gemini', ...args], world);
  return { code, decision: decisionSchema.parse(JSON.parse(stdout())) };
}

const names = (one: Called): string[] | undefined => one.decision.hooks?.map((hook) => hook.name);
const codes = (one: Called): string[] | undefined => one.decision.warnings?.map((warning) => warning.code);
const skips = (one: Called): string[] | undefined => one.decision.skipped?.map(({ name, why }) => `${name}: ${why}`);
/** The hooks that a dry run says are in the way. */
const refused = (one: Called): string | undefined =>
  one.decision.warnings?.find((warning) => warning.code === 'untrusted')?.message.split('on this event: ')[1];
const scopes = (one: Called): string[] | undefined => one.decision.hooks?.map((hook) => hook.source.scope);

const withHook = settingsOf('BeforeTool', ['project']);
const all = ['defaults', 'user', 'project', 'system', 'extension'];

/** What a project may bring along that changes what runs, and whose hooks that concerns. */
const changes: [what: string, project: object, changed: string[]][] = [
  ['a hook', withHook, ['project']],
  ['a hook that switches to sequential', settingsOf('BeforeTool', ['project'], { sequential: true }), ['project']],
  ['a hook that comes before the same one of the system', settingsOf('BeforeTool', ['system']), ['system']],
  ['a switch that turns one off', { hooksConfig: { disabled: ['user'] } }, ['user']],
  ['a switch that turns all off', { hooksConfig: { enabled: false } }, ownNames],
  ['a switch that turns extensions off', { admin: { extensions: { enabled: false } } }, ['extension']],
  ['a cleaner environment', { security: { environmentVariableRedaction: { enabled: true } } }, ownNames],
  ['a blocked variable', { security: { environmentVariableRedaction: { blocked: ['TOKEN'] } } }, ownNames],
  ['another folder for plans', { general: { plan: { directory: '/tmp' } } }, ownNames],
];

/** What a project may hold without changing anything for this event. */
const noChanges: [what: string, project: object | undefined][] = [
  ['no settings', undefined],
  ['other settings', { ui: { theme: 'x' } }],
  ['hooks of another event', settingsOf('AfterTool', ['project'])],
  ['hooks that do not match', settingsOf('BeforeTool', ['project'], { matcher: 'other_tool' })],
  ['an invalid entry', { hooks: { BeforeTool: [{ hooks: [{ command: 'x' }] }] } }],
  ['a hook that the user has as well', settingsOf('BeforeTool', ['user'])],
  ['its own hook, disabled', { ...withHook, hooksConfig: { disabled: ['project'] } }],
  ['a switch for a hook that is not there', { hooksConfig: { disabled: ['nobody'] } }],
  [
    'a wish for more of the environment',
    { security: { environmentVariableRedaction: { enabled: false, allowed: ['X'] } } },
  ],
  ['trust in itself', { security: { folderTrust: { enabled: false } } }],
];

describe('trusted', () => {
  it('everything counts, in plan order', async () => {
    const made = await plan('trusted', withHook);
    expect(names(made)).toEqual(all);
    expect(codes(made)).toEqual([]);
  });

  it('a broken configuration is an error', async () => {
    expect(await plan('trusted', '{')).toMatchObject({
      code: 78,
      decision: { error: { code: 'gemini-settings-syntax' } },
    });
  });
});

describe('undecided', () => {
  it.each(changes)('%s is refused', async (_, project, changed) => {
    const dry = await plan('undecided', project);
    expect(dry.code).toBe(0);
    expect(refused(dry)).toBe(changed.join(', '));
    // Nothing is started: not even what is the user's own.
    const made = await plan('undecided', project, own, []);
    expect(made).toMatchObject({ code: 77, decision: { decision: 'deny', cause: 'untrusted', hooks: [] } });
    expect(made.decision.skipped?.filter((one) => one.why === 'untrusted').map((one) => one.name)).toEqual(names(dry));
    expect(await plan('undecided', project, own, ['--on-failure', 'block'])).toMatchObject({
      code: 2,
      decision: { cause: 'untrusted' },
    });
    expect(await plan('undecided', project, own, ['--trust', '--dry-run'])).toMatchObject({ code: 0 });
    expect(refused(await plan('undecided', project, own, ['--trust', '--dry-run']))).toBeUndefined();
  });

  it.each(noChanges)('%s is not, and the project is left out', async (_, project) => {
    const made = await plan('undecided', project);
    expect(made.code).toBe(0);
    expect(refused(made)).toBeUndefined();
    expect(names(made)).toEqual(ownNames);
    expect(scopes(made)).not.toContain('project');
  });

  it('a flag of sequence alone is refused', async () => {
    const user = { [USER_SETTINGS]: settingsOf('BeforeTool', ['a', 'b']) };
    // The later one of two that are the same is lost with its flag.
    expect(
      refused(await plan('undecided', settingsOf('BeforeTool', ['a'], { sequential: true }), user)),
    ).toBeUndefined();
    const system = { '/etc/gemini-cli/settings.json': settingsOf('BeforeTool', ['a', 'b']) };
    expect(refused(await plan('undecided', settingsOf('BeforeTool', ['a'], { sequential: true }), system))).toBe('a');
  });

  it.each<[what: string, project: string | object, code: number]>([
    ['broken', '[]', 78],
    ['unreadable', { unreadable: 'denied' }, 66],
  ])('a configuration that is %s is an error', async (_, project, code) => {
    for (const args of [['--dry-run'], []]) expect((await plan('undecided', project, own, args)).code).toBe(code);
  });
});

describe('decided against', () => {
  it.each(changes)('%s is left out, with a warning', async (_, project) => {
    const made = await plan('untrusted', project);
    expect(names(made)).toEqual(ownNames);
    expect(scopes(made)).not.toContain('project');
    expect(codes(made)).toEqual(['untrusted-left-out']);
    expect(made.decision.warnings?.[0]?.message).toContain('GEMINI_CLI_TRUST_WORKSPACE=false');
  });

  it.each(noChanges)('%s needs no word', async (_, project) => {
    const made = await plan('untrusted', project);
    expect(names(made)).toEqual(ownNames);
    expect(codes(made)).toEqual([]);
  });

  it("the project's hooks are skipped where they would have stood", async () => {
    const files = {
      '/etc/gemini-cli/system-defaults.json': { hooks: { BeforeTool: [definition([{ command: '' }])] } },
      [USER_SETTINGS]: { ...settingsOf('BeforeTool', ['user', 'off']), hooksConfig: { disabled: ['off', 'late'] } },
      '/etc/gemini-cli/settings.json': settingsOf('BeforeTool', ['user', 'late', 'system']),
    };
    const project = {
      hooks: {
        BeforeTool: [
          definition([{ name: 'one', command: 'x' }, { name: 'user', command: 'run-user' }, { name: 'bad' }]),
          definition([{ name: 'elsewhere', command: 'x' }], { matcher: 'other_tool' }),
          definition([{ name: 'two', command: 'x' }]),
        ],
      },
      hooksConfig: { disabled: ['system'] },
    };
    const made = await plan('untrusted', project, files);
    expect(names(made)).toEqual(['user', 'system']);
    expect(skips(made)).toEqual([
      'hooks.BeforeTool[0].hooks[0]: invalid',
      'off: disabled',
      'one: untrusted',
      'user: untrusted',
      'bad: untrusted',
      'two: untrusted',
      'user: duplicate',
      'late: disabled',
    ]);
  });

  it.each<[what: string, project: string | object, code: string]>([
    ['broken', '{', 'gemini-settings-syntax'],
    ['no object', 'null', 'gemini-settings-not-object'],
    ['unreadable', { unreadable: 'denied' }, 'file-unreadable'],
  ])("a configuration that is %s does not keep the user's own hooks from running", async (_, project, code) => {
    const made = await plan('untrusted', project);
    expect(names(made)).toEqual(ownNames);
    expect(codes(made)).toEqual(['untrusted-left-out', code]);
  });
});

describe('planDifferences', () => {
  it('is what would run otherwise, and everything where only the mode changes', async () => {
    const steps = await hooksOf('BeforeTool', ['a', 'b']);
    const planOf = (hooks: readonly Hook[], mode: Plan['mode'] = 'parallel'): Plan => ({
      steps: hooks,
      mode,
      skipped: [],
      unmatched: [],
      problems: [],
    });
    const [a, b] = steps as [Hook, Hook];
    expect(planDifferences(planOf(steps), planOf(await hooksOf('BeforeTool', ['a', 'b'])))).toEqual([]);
    expect(planDifferences(planOf(steps), planOf([a]))).toEqual([b]);
    expect(planDifferences(planOf([a]), planOf(steps))).toEqual([b]);
    const { name, event, command, source, detail } = a;
    const hurried: Hook = { name, event, command, source, detail, timeoutMs: 1 };
    expect(planDifferences(planOf([a]), planOf([hurried]))).toEqual([a, hurried]);
    expect(planDifferences(planOf(steps, 'sequential'), planOf(steps))).toEqual([a, b]);
  });
});
