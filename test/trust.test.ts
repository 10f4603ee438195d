/** `hookrun trust`, and what `run` makes of what was trusted. */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from './helpers/live-hooks.ts';
import { createTrustScene, type TrustScene } from './helpers/trust-scene.ts';

let scene: TrustScene;
beforeEach(() => {
  scene = createTrustScene();
});
afterEach(() => scene.remove());

const store = () => join(scene.home, '.local/state/hookrun/trust.json');
const trusted = async (args: readonly string[] = []): Promise<void> => {
  expect(await scene.trust(['trust', ...args])).toMatchObject({ code: 0 });
};
const fingerprint = async (cwd = scene.project): Promise<string> =>
  (await scene.trust(['trust', '--fingerprint', '--plain'], { cwd })).out.trim();
const codes = (one: Awaited<ReturnType<TrustScene['event']>>) => (one.decision.warnings ?? []).map(({ code }) => code);

/** A project whose hook is a script. */
function withScript(command = 'bash hooks/guard.sh', script = `echo guard >> '${scene.root}/ran'\n`): void {
  scene.hooks(['guard'], { command });
  scene.put('project/hooks/guard.sh', script);
}

describe('a folder', () => {
  it('that nobody decided about runs nothing, and says how to trust it', async () => {
    scene.hooks(['a']);
    const made = await scene.event();
    expect(made).toMatchObject({ code: 77, decision: { decision: 'deny', cause: 'untrusted', hooks: [] } });
    expect(made.stderr).toContain('hookrun trust --diff');
    expect(made.stderr).toMatch(/is not trusted yet, .*: a\n/);
    expect(scene.ran()).toEqual([]);
    expect(existsSync(store())).toBe(false);
  });

  it('runs once it is trusted, and no longer than it is', async () => {
    scene.hooks(['a']);
    await trusted();
    expect(await scene.event()).toMatchObject({ code: 0, decision: { decision: 'allow' } });
    expect(scene.ran()).toEqual(['a']);
    await scene.trust(['untrust']);
    expect((await scene.event()).code).toBe(77);
    expect(scene.ran()).toEqual(['a']);
  });

  it("that was decided against is left out whole, and the user's own hooks run", async () => {
    scene.hooks(['a']);
    scene.hooks(['own'], {}, 'home');
    await scene.trust(['trust', '--deny']);
    const made = await scene.event();
    expect(made).toMatchObject({ code: 0, decision: { skipped: [{ name: 'a', why: 'untrusted' }] } });
    expect(made.decision.skipped?.[0]?.detail).toMatch(/^hookrun trust --deny, 2026/);
    expect(scene.ran()).toEqual(['own']);
    // Trusting it later takes the denial's place.
    await trusted();
    await scene.event();
    expect(scene.ran().sort()).toEqual(['a', 'own', 'own']);
  });

  it('can be decided against although its configuration is broken', async () => {
    scene.put('project/.gemini/settings.json', '{');
    expect((await scene.event()).code).toBe(78);
    expect((await scene.trust(['trust'])).code).toBe(78);
    expect((await scene.trust(['trust', '--deny'])).code).toBe(0);
    expect((await scene.event()).code).toBe(0);
  });

  it('is refused again when it breaks after it was trusted', async () => {
    scene.hooks(['a']);
    await trusted();
    scene.put('project/.gemini/settings.json', '{');
    expect((await scene.event()).code).toBe(78);
  });

  it('is found by its real path, through links', async () => {
    scene.hooks(['a']);
    scene.link('project', 'other-name');
    await trusted([join(scene.root, 'other-name')]);
    expect((await scene.event({ project: join(scene.root, 'other-name') })).code).toBe(0);
    expect((await scene.event()).code).toBe(0);
  });

  it('speaks for itself alone: not for a nested project, nor for the one above', async () => {
    scene.hooks(['outer']);
    scene.hooks(['inner'], {}, 'project/vendor/inner');
    const inner = join(scene.project, 'vendor/inner');
    await trusted();
    expect((await scene.event({ project: inner })).code).toBe(77);
    await scene.trust(['untrust']);
    await trusted([inner]);
    expect((await scene.event({ project: inner })).code).toBe(0);
    expect((await scene.event()).code).toBe(77);
    // A trusted parent with a child that was decided against.
    await trusted();
    await scene.trust(['trust', '--deny', inner]);
    expect((await scene.event()).code).toBe(0);
    expect(await scene.event({ project: inner })).toMatchObject({
      code: 0,
      decision: { hooks: [], skipped: [{ why: 'untrusted' }] },
    });
    expect(scene.ran()).toEqual(['inner', 'outer']);
  });

  it('may change in whatever decides nothing', async () => {
    scene.hooks(['a']);
    await trusted();
    scene.put('project/README.md', 'new');
    scene.hooks(['own'], {}, 'home');
    expect((await scene.event({ env: { ANYTHING: '1' } })).code).toBe(0);
  });

  it('is not asked about on an event of which it says nothing', async () => {
    scene.hooks(['a']);
    scene.put('home/.local/state/hookrun/trust.json', 'damaged');
    const payload = { hook_event_name: 'AfterAgent', prompt: 'p', prompt_response: 'r', stop_hook_active: false };
    const made = await scene.event({ payload, args: ['-f', 'gemini'] });
    // Who has a record is told that it can't be used, and nothing is refused for it.
    expect(made).toMatchObject({ code: 0 });
    expect(codes(made)).toEqual(['trust-store']);
  });
});

describe('between trust and run', () => {
  const rows: [what: string, change: () => void, says: string][] = [
    ['a hook is edited', () => withScript('bash hooks/guard.sh; true'), 'edited hook guard (BeforeTool)'],
    [
      'a hook is added',
      () => scene.hooks(['guard', 'new'], { command: 'bash hooks/guard.sh' }),
      'added hook new (BeforeTool)',
    ],
    [
      'only env.BASH_ENV changes',
      () => scene.hooks(['guard'], { command: 'bash hooks/guard.sh', env: { BASH_ENV: '/tmp/x' } }),
      'edited hook guard (BeforeTool)',
    ],
    ['a script is edited', () => scene.put('project/hooks/guard.sh', 'touch ../pwned'), 'edited script hooks/guard.sh'],
    [
      'a script is replaced by a link',
      () => {
        renameSync(join(scene.project, 'hooks/guard.sh'), join(scene.root, 'same.sh'));
        scene.link('../../same.sh', 'project/hooks/guard.sh');
      },
      'edited script hooks/guard.sh',
    ],
    [
      'a script is replaced by a FIFO',
      () => {
        rmSync(join(scene.project, 'hooks/guard.sh'));
        spawnSync('mkfifo', [join(scene.project, 'hooks/guard.sh')]);
      },
      'edited script hooks/guard.sh',
    ],
    ['a script goes', () => rmSync(join(scene.project, 'hooks/guard.sh')), 'removed script hooks/guard.sh'],
    [
      'a switch is added',
      () =>
        scene.put('project/.gemini/settings.json', {
          ...JSON.parse(readFileSync(join(scene.project, '.gemini/settings.json'), 'utf8')),
          hooksConfig: { disabled: ['own'] },
        }),
      'added switch hooksConfig',
    ],
  ];
  it.each(rows)('%s: refused, and the change is named', async (_what, change, says) => {
    withScript();
    await trusted();
    change();
    const made = await scene.event();
    expect(made).toMatchObject({ code: 77, decision: { cause: 'untrusted', hooks: [] } });
    expect(made.decision.reason).toContain(`has changed since it was trusted (${says})`);
    expect(made.stderr).toContain(says);
    expect(scene.ran()).toEqual([]);
    expect(existsSync(join(scene.root, 'pwned'))).toBe(false);
    expect(await scene.trust(['trust', '--check'])).toMatchObject({
      code: 2,
      document: { trust: { formats: [{ state: 'undecided', changes: [says] }] } },
    });
    expect((await scene.trust(['trust', '--diff'])).stderr).toContain(`  ${says}\n`);
    const dry = await scene.event({ args: ['--dry-run'] });
    expect(dry).toMatchObject({ code: 0, decision: { decision: null } });
    expect(codes(dry)).toContain('untrusted-changed');
    expect(dry.stderr).toContain('hookrun trust trusts it as it is now');
    // For one run it may be trusted whatever was recorded; with `block`, the refusal is a plain denial.
    expect((await scene.event({ args: ['--on-failure', 'block'] })).code).toBe(2);
  });

  it('a script that was named before it existed appears: refused', async () => {
    scene.hooks(['guard'], { command: '[ ! -e hooks/guard.sh ] || bash hooks/guard.sh' });
    await trusted();
    expect((await scene.event()).code).toBe(0);
    scene.put('project/hooks/guard.sh', 'touch ../pwned');
    expect((await scene.event()).decision.reason).toContain('added script hooks/guard.sh');
    expect(existsSync(join(scene.root, 'pwned'))).toBe(false);
  });

  it('a script grows beyond all bounds: an error, and nothing runs', async () => {
    withScript();
    await trusted();
    truncateSync(join(scene.project, 'hooks/guard.sh'), 1024 ** 3);
    expect(await scene.event()).toMatchObject({ code: 78, decision: { error: { code: 'trust-too-much' } } });
    expect(scene.ran()).toEqual([]);
  });
});

describe('a project without hooks of its own', () => {
  const switches: [what: string, put: () => void][] = [
    ['switches all hooks off', () => scene.put('project/.gemini/settings.json', { hooksConfig: { enabled: false } })],
    [
      "switches the user's hook off",
      () => scene.put('project/.gemini/settings.json', { hooksConfig: { disabled: ['own'] } }),
    ],
  ];
  it.each(switches)('%s: only when it is trusted, and only as it was', async (_what, put) => {
    scene.hooks(['own'], {}, 'home');
    put();
    expect((await scene.event()).code).toBe(77);
    await scene.trust(['trust', '--deny']);
    expect((await scene.event()).code).toBe(0);
    expect(scene.ran()).toEqual(['own']);
    await trusted();
    expect(await scene.event()).toMatchObject({ code: 0, decision: { skipped: [{ name: 'own', why: 'disabled' }] } });
    expect(scene.ran()).toEqual(['own']);
    scene.put('project/.gemini/settings.json', { hooksConfig: { disabled: ['own', 'other'] } });
    expect((await scene.event()).decision.reason).toContain('edited switch hooksConfig');
  });

  it("hides the user's plugin by an empty folder: refused until it is trusted", async () => {
    const payload = {
      event: 'PreToolUse',
      session_id: 's',
      tool_name: 'shell',
      tool_input: {},
      working_dir: scene.project,
    };
    const event = () => scene.event({ payload, args: ['-f', 'goose', '--project', scene.project] });
    scene.put('home/.agents/plugins/p/hooks/hooks.json', {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `echo own >> '${scene.root}/ran'` }] }] },
    });
    expect((await event()).code).toBe(0);
    mkdirSync(join(scene.project, '.agents/plugins/p'), { recursive: true });
    expect((await event()).code).toBe(77);
    await scene.trust(['trust', '--deny']);
    expect((await event()).code).toBe(0);
    await trusted();
    expect((await event()).decision.skipped).toMatchObject([{ why: 'shadowed' }]);
    expect(scene.ran()).toEqual(['own', 'own']);
    mkdirSync(join(scene.project, '.agents/plugins/q'));
    expect((await event()).code).toBe(77);
    rmSync(join(scene.project, '.agents/plugins/p'), { recursive: true });
    expect((await scene.trust(['trust', '--check'])).document.trust.formats?.[0]?.changes).toEqual([
      'added switch plugin q',
      'removed switch plugin p',
    ]);
  });
});

describe("the agent's own files", () => {
  const says = (value: string) => scene.put('home/.gemini/trustedFolders.json', { [scene.project]: value });

  it('trust as well, until hookrun has a record that no longer fits', async () => {
    scene.hooks(['a']);
    says('TRUST_FOLDER');
    expect((await scene.event()).code).toBe(0);
    await trusted();
    scene.hooks(['a', 'b']);
    expect((await scene.event()).code).toBe(77);
  });

  it.each(['hookrun', 'the agent'])('a refusal wins, whoever says it: %s', async (who) => {
    scene.hooks(['a']);
    if (who === 'hookrun') {
      says('TRUST_FOLDER');
      await scene.trust(['trust', '--deny']);
    } else {
      await trusted();
      says('DO_NOT_TRUST');
      const again = await scene.trust(['trust']);
      expect(again.code).toBe(2);
      expect(again.stderr).toContain('recorded, but still denied');
      expect(again.stderr).toContain('DO_NOT_TRUST');
    }
    expect(await scene.event()).toMatchObject({ code: 0, decision: { hooks: [], skipped: [{ why: 'untrusted' }] } });
    // What is said for one run comes before all of it.
    expect(await scene.event({ args: ['--trust'] })).toMatchObject({ code: 0, decision: { hooks: [{ name: 'a' }] } });
    expect(await scene.event({ env: { HOOKRUN_TRUST: await fingerprint() } })).toMatchObject({
      decision: { hooks: [{ name: 'a' }] },
    });
  });
});

describe('HOOKRUN_TRUST=<fingerprint>', () => {
  it('trusts that content in any folder, and no other', async () => {
    withScript();
    const value = await fingerprint();
    expect(value).toMatch(/^[0-9a-f]{64}$/);
    const env = { HOOKRUN_TRUST: value };
    expect((await scene.event({ env })).code).toBe(0);
    const moved = join(scene.root, 'ci/work dir/checkout');
    cpSync(scene.project, moved, { recursive: true });
    expect((await scene.event({ env, project: moved })).code).toBe(0);
    expect(await fingerprint(moved)).toBe(value);
    expect(scene.ran()).toEqual(['guard', 'guard']);
    expect((await scene.event({ env: { HOOKRUN_TRUST: `${'0'.repeat(64)},${value.toUpperCase()}` } })).code).toBe(0);

    writeFileSync(join(moved, 'hooks/guard.sh'), 'touch pwned');
    const made = await scene.event({ env, project: moved });
    expect(made).toMatchObject({ code: 77, decision: { cause: 'untrusted' } });
    expect(made.decision.reason).toContain(`HOOKRUN_TRUST has ${value}`);
    expect(existsSync(join(moved, 'pwned'))).toBe(false);
  });

  it('names what changed where that content is on record, and no record makes up for a mismatch', async () => {
    withScript();
    await trusted();
    const value = await fingerprint();
    scene.put('project/hooks/guard.sh', 'true');
    expect((await scene.event({ env: { HOOKRUN_TRUST: value } })).decision.reason).toContain(
      'edited script hooks/guard.sh',
    );
    await trusted();
    expect((await scene.event()).code).toBe(0);
    expect((await scene.event({ env: { HOOKRUN_TRUST: value } })).code).toBe(77);
    scene.put('home/.gemini/trustedFolders.json', { [scene.project]: 'TRUST_FOLDER' });
    expect((await scene.event({ env: { HOOKRUN_TRUST: value } })).code).toBe(77);
  });

  it.each(['yes', 'true', 'a'.repeat(63), `${'a'.repeat(64)},1`])(
    'that is none (%s) trusts nothing, and says so',
    async (value) => {
      scene.hooks(['a']);
      const made = await scene.event({ env: { HOOKRUN_TRUST: value } });
      expect(made.code).toBe(77);
      expect(codes(made)).toContain('trust-variable');
    },
  );

  it.each(['', '0'])('that says nothing (%j) is nothing to talk about', async (value) => {
    scene.hooks(['a']);
    const made = await scene.event({ env: { HOOKRUN_TRUST: value } });
    expect(made.code).toBe(77);
    expect(codes(made)).toEqual([]);
  });
});

describe('a record that can not be believed', () => {
  const rows: [what: string, damage: () => void][] = [
    ['damaged', () => writeFileSync(store(), '{"version":1,"folders":[')],
    ['open to others', () => chmodSync(store(), 0o666)],
    [
      'a FIFO',
      () => {
        rmSync(store());
        spawnSync('mkfifo', ['-m', '600', store()]);
      },
    ],
    ['huge', () => truncateSync(store(), 1024 ** 3)],
  ];
  it.each(rows)('%s: nobody counts as trusted, and a warning names the file', async (_what, damage) => {
    scene.hooks(['a']);
    await trusted();
    damage();
    for (const trustedFolders of [{}, { [scene.project]: 'TRUST_FOLDER' }]) {
      scene.put('home/.gemini/trustedFolders.json', trustedFolders);
      const made = await scene.event();
      expect(made.code).toBe(77);
      expect(made.decision.warnings).toContainEqual(expect.objectContaining({ code: 'trust-store', path: store() }));
    }
    expect(scene.ran()).toEqual([]);
    const size = statSync(store()).size;
    for (const args of [['trust'], ['trust', '--deny'], ['trust', '--list'], ['untrust']])
      expect(await scene.trust(args)).toMatchObject({ code: 66 });
    expect((await scene.trust(['trust', '--check'])).code).toBe(2);
    expect(statSync(store()).size).toBe(size);
    scene.put('home/.gemini/trustedFolders.json', { [scene.project]: 'DO_NOT_TRUST' });
    expect(await scene.event()).toMatchObject({ code: 0, decision: { skipped: [{ why: 'untrusted' }] } });
  });

  it('one that the project brought along', async () => {
    scene.hooks(['a']);
    await trusted();
    const brought = join(scene.project, 'state/hookrun/trust.json');
    mkdirSync(join(brought, '..'), { recursive: true });
    cpSync(store(), brought);
    const env = { XDG_STATE_HOME: join(scene.project, 'state') };
    expect((await scene.event({ env })).code).toBe(77);
    expect((await scene.event()).code).toBe(0);
  });
});

describe('scripts are held to what was trusted', () => {
  /** A script that says that it runs, and waits until it may go on. */
  const waiting = (then = '') => `echo running > "${scene.root}/running"; read -r _ < "${scene.root}/go"; ${then}\n`;
  const start = async (script: string, args: readonly string[] = []) => {
    withScript('bash hooks/guard.sh', script);
    spawnSync('mkfifo', [join(scene.root, 'go')]);
    await trusted();
    const ended = scene.event({ args });
    await until(() => existsSync(join(scene.root, 'running')), 'the hook');
    return { ended, go: () => writeFileSync(join(scene.root, 'go'), 'go\n') };
  };

  const edits: [what: string, edit: () => void][] = [
    ['edited', () => scene.put('project/hooks/guard.sh', 'exit 0\n')],
    ['removed', () => rmSync(join(scene.project, 'hooks/guard.sh'))],
    [
      'edited and put back',
      () => {
        const before = readFileSync(join(scene.project, 'hooks/guard.sh'), 'utf8');
        scene.put('project/hooks/guard.sh', 'exit 0\n');
        scene.put('project/hooks/guard.sh', before);
      },
    ],
    [
      'replaced by a link',
      () => {
        renameSync(join(scene.project, 'hooks/guard.sh'), join(scene.root, 'same.sh'));
        scene.link('../../same.sh', 'project/hooks/guard.sh');
      },
    ],
  ];
  it.each(edits)('%s while the hook runs: denied', async (_what, edit) => {
    const { ended, go } = await start(waiting());
    edit();
    go();
    const made = await ended;
    expect(made).toMatchObject({
      code: 2,
      decision: {
        decision: 'deny',
        cause: 'policy_denial',
        decidedBy: ['guard'],
        hooks: [{ name: 'guard', verdict: 'deny' }],
      },
    });
    expect(made.decision.reason).toMatch(/names hooks\/guard.sh, and that changed while it ran/);
    expect(codes(made)).toContain('trust-script-changed');
  });

  it('untouched: as the hook says', async () => {
    const { ended, go } = await start(waiting());
    go();
    const made = await ended;
    expect(made.code).toBe(0);
    expect(codes(made)).not.toContain('trust-script-changed');
  });

  it('a failure that would pass does not let it pass, and a stop stays one', async () => {
    const failing = await start(waiting('exit 1'), ['--on-failure', 'allow']);
    scene.put('project/hooks/guard.sh', 'exit 0\n');
    failing.go();
    expect((await failing.ended).code).toBe(2);
    rmSync(join(scene.root, 'running'));
    rmSync(join(scene.root, 'go'));
    const stopping = await start(waiting(`echo '{"continue":false,"stopReason":"no"}'`));
    scene.put('project/hooks/guard.sh', 'exit 0\n');
    stopping.go();
    const made = await stopping.ended;
    expect(made).toMatchObject({ code: 4, decision: { decision: 'stop' } });
    expect(codes(made)).toContain('trust-script-changed');
  });

  it('edited by an earlier hook of the chain: the later one does not start', async () => {
    const hook = (name: string, command: string) => ({ type: 'command', name, command });
    scene.put('project/.gemini/settings.json', {
      hooks: {
        BeforeTool: [
          {
            sequential: true,
            hooks: [hook('first', `echo 'touch pwned' > "$PWD/hooks/b.sh"`), hook('second', 'bash hooks/b.sh')],
          },
        ],
      },
    });
    scene.put('project/hooks/b.sh', 'true');
    await trusted();
    const made = await scene.event();
    expect(made).toMatchObject({
      code: 2,
      decision: {
        decidedBy: ['second'],
        hooks: [{ name: 'first' }, { name: 'second', exit: { kind: 'not-started' } }],
      },
    });
    expect(made.decision.reason).toContain('changed before it could start');
    expect(existsSync(join(scene.project, 'pwned'))).toBe(false);
  });

  it('a payload that moves the hook to scripts that nobody has trusted: denied', async () => {
    withScript('bash ./guard.sh', '');
    scene.put('project/guard.sh', 'true');
    scene.put('project/sub/guard.sh', `touch '${scene.root}/pwned'`);
    await trusted();
    const options = { payload: { cwd: join(scene.project, 'sub') }, args: ['--project', scene.project] };
    const made = await scene.event(options);
    expect(made.code).toBe(2);
    expect(made.decision.reason).toContain('names sub/guard.sh');
    expect(existsSync(join(scene.root, 'pwned'))).toBe(false);
  });

  it('a payload that moves the hook out of the project: denied, whatever lies there', async () => {
    withScript('sh hooks/guard.sh');
    scene.put('elsewhere/hooks/guard.sh', `touch '${scene.root}/pwned'`);
    scene.link('../elsewhere', 'project/out');
    scene.link('project', 'same');
    await trusted();
    const run = (cwd: string) =>
      scene.event({ payload: { cwd: join(scene.root, cwd) }, args: ['--project', scene.project] });
    for (const cwd of ['elsewhere', 'project/out', 'project/../elsewhere', 'project-not']) {
      const made = await run(cwd);
      expect(made, cwd).toMatchObject({ code: 2, decision: { hooks: [{ exit: { kind: 'not-started' } }] } });
      expect(made.decision.reason).toContain(`would run in ${join(scene.root, cwd)}, which is not in ${scene.project}`);
    }
    expect(existsSync(join(scene.root, 'pwned'))).toBe(false);
    expect((await run('project')).code).toBe(0);
    expect((await run('same')).code).toBe(0);
    expect(scene.ran()).toEqual(['guard', 'guard']);
  });

  it('a script that can not be executed any more: refused', async () => {
    withScript('$GEMINI_PROJECT_DIR/hooks/guard.sh', '#!/bin/sh\nexit 2\n');
    const script = join(scene.project, 'hooks/guard.sh');
    chmodSync(script, 0o755);
    await trusted();
    expect((await scene.event()).code).toBe(2);
    chmodSync(script, 0o644);
    const made = await scene.event();
    expect(made.code).toBe(77);
    expect(made.stderr).toContain('edited script hooks/guard.sh (not executable any more)');
  });

  it('not so what was trusted without a fingerprint', async () => {
    withScript('bash hooks/guard.sh', 'echo "# edited" >> "$0"\n');
    expect((await scene.event({ args: ['--trust'] })).code).toBe(0);
    await trusted();
    expect((await scene.event()).code).toBe(2);
  });

  it('a log that the hook only writes to may change', async () => {
    withScript('bash hooks/guard.sh >> "$GEMINI_PROJECT_DIR/hooks.log" 2>&1', 'echo hi\n');
    scene.put('project/hooks.log', 'before\n');
    await trusted();
    for (let run = 0; run < 2; run += 1) expect((await scene.event()).code).toBe(0);
    expect(readFileSync(join(scene.project, 'hooks.log'), 'utf8')).toBe('before\nhi\nhi\n');
  });
});

describe('hookrun trust', () => {
  const esc = '\u001b[31m';

  it('shows all that it trusts, escape sequences and secrets excepted', async () => {
    scene.put('project/.gemini/settings.json', {
      hooksConfig: { disabled: [`${esc}x`] },
      hooks: {
        BeforeTool: [
          {
            matcher: 'write_file',
            hooks: [
              {
                type: 'command',
                name: `na${esc}me\n`,
                command: 'bash hooks/a.sh hooks/later.sh',
                env: { A: 'https://me:hunter22@host/' },
              },
              'junk',
            ],
          },
        ],
      },
    });
    scene.put('project/hooks/a.sh', 'true\n');
    scene.link('a.sh', 'project/hooks/later.sh');
    scene.put('project/.hookrunrc', { requireMatch: true });
    const { code, document, stderr, out } = await scene.trust(['trust', '-f', 'gemini']);
    expect(code).toBe(0);
    const sha256 = spawnSync('sha256sum', [join(scene.project, 'hooks/a.sh')], { encoding: 'utf8' }).stdout.slice(
      0,
      64,
    );
    expect(document.trust.formats).toMatchObject([
      {
        format: 'gemini',
        state: 'trusted',
        hooks: [
          {
            event: 'BeforeTool',
            matcher: 'write_file',
            command: 'bash hooks/a.sh hooks/later.sh',
            files: [
              { path: 'hooks/a.sh', sha256 },
              { path: 'hooks/later.sh', link: 'hooks/a.sh', sha256 },
            ],
          },
          { name: 'hooks.BeforeTool[0].hooks[1]' },
        ],
        switches: [{ name: 'hooksConfig' }],
        settings: { requireMatch: true },
      },
    ]);
    expect(stderr).not.toContain('\u001b');
    expect(out).not.toContain('\u001b');
    for (const shown of [
      '\\x1b[31m',
      'BeforeTool',
      'write_file',
      `hooks/a.sh: sha256 ${sha256}`,
      'hooks/later.sh -> hooks/a.sh',
      'switch hooksConfig',
      'requireMatch: true',
      'not valid',
    ])
      expect(stderr).toContain(shown);
    for (const text of [stderr, out]) expect(text).not.toContain('hunter22');
    expect(out.trimEnd().split('\n')).toHaveLength(1);
  });

  it('records every agent with something here, or just the named one', async () => {
    scene.hooks(['a']);
    mkdirSync(join(scene.project, '.agents/plugins/p'), { recursive: true });
    await trusted();
    const listed = async () =>
      (await scene.trust(['trust', '--list'])).document.trust.records?.map(({ path, format, decision }) => [
        path,
        format,
        decision,
      ]);
    expect(await listed()).toEqual([
      [scene.project, 'gemini', 'trusted'],
      [scene.project, 'goose', 'trusted'],
    ]);
    expect((await fingerprint()).split(',')).toHaveLength(2);
    await scene.trust(['untrust', '-f', 'goose']);
    expect(await listed()).toEqual([[scene.project, 'gemini', 'trusted']]);
    await scene.trust(['trust', '--deny', '-f', 'goose']);
    expect(await listed()).toEqual([
      [scene.project, 'gemini', 'trusted'],
      [scene.project, 'goose', 'denied'],
    ]);
    rmSync(scene.project, { recursive: true });
    expect((await scene.trust(['untrust', scene.project], { cwd: scene.home })).document.trust.records).toHaveLength(2);
    expect(await listed()).toEqual([]);
  });

  it('finds nothing to trust where there is nothing', async () => {
    for (const args of [['trust'], ['trust', '--check'], ['trust', '--diff'], ['trust', '--fingerprint'], ['untrust']])
      expect(await scene.trust(args)).toMatchObject({ code: 0 });
    expect((await scene.trust(['trust', '--fingerprint', '--plain'])).out).toBe('\n');
    expect((await scene.trust(['trust'])).stderr).toContain('brings nothing along');
    expect((await scene.trust(['trust', '--list'])).document.trust.records).toEqual([]);
  });

  it('--check and --diff say what run would do, and record nothing', async () => {
    scene.hooks(['a']);
    for (const flag of ['--check', '--diff']) {
      expect(await scene.trust(['trust', flag])).toMatchObject({
        code: 2,
        document: { trust: { formats: [{ state: 'undecided' }] } },
      });
      expect((await scene.trust(['trust', flag], { env: { HOOKRUN_TRUST: await fingerprint() } })).code).toBe(0);
      expect((await scene.trust(['trust', flag], { env: { HOOKRUN_TRUST: '1' } })).code).toBe(0);
      expect(existsSync(store())).toBe(false);
    }
    expect((await scene.trust(['trust', '--diff'])).stderr).toContain('hook a (BeforeTool)');
    await trusted();
    for (const flag of ['--check', '--diff']) expect((await scene.trust(['trust', flag])).code).toBe(0);
    await scene.trust(['trust', '--deny']);
    for (const flag of ['--check', '--diff'])
      expect(await scene.trust(['trust', flag])).toMatchObject({
        code: 2,
        document: { trust: { formats: [{ state: 'untrusted' }] } },
      });
  });

  it.each<[args: readonly string[], code: number]>([
    [['trust', '--check', '--deny'], 64],
    [['trust', '--plain'], 64],
    [['trust', '--list', 'x'], 64],
    [['trust', 'a', 'b'], 64],
    [['trust', '--format', 'nope'], 64],
    [['trust', 'no/such/folder'], 66],
    [['untrust', '--nope'], 64],
  ])('%j is exit %i, with one document', async (args, code) => {
    const made = await scene.trust(args);
    expect(made.code).toBe(code);
    expect(made.document).toMatchObject({ decision: null, error: { exit: code } });
  });

  it('-q leaves stderr alone, and help helps', async () => {
    scene.hooks(['a']);
    expect((await scene.trust(['trust', '-q'])).stderr).toBe('');
    expect((await scene.trust(['trust', '--fingerprint', '--plain'])).stderr).toBe('');
    for (const args of [['trust', '--help'], ['untrust', '--help'], ['--help']])
      expect(await scene.trust(args)).toMatchObject({ code: 0, out: expect.stringContaining('trust') });
  });

  it("counts for hookrun's own settings in a folder of an agent without a project scope too", async () => {
    scene.put('project/.hookrunrc', { requireMatch: true });
    const event = () =>
      scene.event({ payload: { hook_event_name: 'PreToolUse', client_type: 'cli' }, args: ['-f', 'kimi'] });
    expect((await event()).code).toBe(77);
    await trusted();
    expect((await event()).decision.cause).toBe('no_match');
    scene.put('project/.hookrunrc', { requireMatch: true, onFailure: 'block' });
    expect((await event()).decision.reason).toContain('added setting of hookrun onFailure');
    await scene.trust(['trust', '--deny']);
    expect((await event()).code).toBe(0);
  });
});
