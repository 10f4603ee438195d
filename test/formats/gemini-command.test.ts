import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type CommandVariable, extensionCommand, startCommand } from '../../src/formats/gemini/command.ts';
import { expandEnv, expandStrings } from '../../src/formats/gemini/expand.ts';
import { substitute } from '../../src/shell-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookrun-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(shell: string, command: string, env: Readonly<Record<string, string>>) {
  const result = spawnSync(shell, ['-c', command], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', SHLVL: '1', ...env },
    encoding: 'utf8',
    timeout: 10_000,
  });
  const left = readdirSync(folder);
  for (const name of left) rmSync(join(folder, name), { recursive: true });
  return { stdout: result.stdout, stderr: result.stderr, status: result.status, left };
}

function valuesOf(value: string): Record<CommandVariable, string> {
  return {
    GEMINI_PROJECT_DIR: value,
    GEMINI_CWD: value,
    GEMINI_PLANS_DIR: value,
    GEMINI_SESSION_ID: value,
    CLAUDE_PROJECT_DIR: value,
  };
}

const HOSTILE = [
  '/pro ject',
  "it's",
  "'; touch pwned; '",
  '"; touch pwned; "',
  '$(touch pwned)',
  '`touch pwned`',
  '; touch pwned; #',
  '|touch pwned',
  '\ntouch pwned\n#',
  '-rf /',
  '\\',
  "\\'",
  '\\"',
  '*',
  '~',
  '${HOME}',
  '$HOME',
  'a  b\tc',
  '}"; touch pwned; "',
  ')touch pwned(',
  'a=~',
  '{a,b}',
  '!!',
  'ü\u00a0x',
];
const PLAIN = ['/home/dev/project', '11111111-2222-4333-8444-555555555555', 'if', '2'];

/** A command with $V, and what it prints when $V is the value, whatever that holds. */
const PLACES: readonly [name: string, command: string, expected: (value: string) => string][] = [
  ['bare', 'printf %s $V', (v) => v],
  ['bare, in a word', 'printf %s a/$V/b', (v) => `a/${v}/b`],
  ['bare, in an assignment', 'x=$V; printf %s "$x"', (v) => v],
  ['bare, after a redirection', 'printf %s $V>&1', (v) => v],
  ['double quotes', 'printf %s "$V/x"', (v) => `${v}/x`],
  ['single quotes', "printf %s '$V/x'", (v) => `${v}/x`],
  ['ANSI quotes', "printf %s $'a\\t$V\\t'", (v) => `a\t${v}\t`],
  ['ANSI quotes, nothing escaped', "printf %s $'$V/$V'", (v) => `${v}/${v}`],
  ['translated quotes', 'printf %s $"$V"', (v) => v],
  ['quotes of both kinds in one word', 'printf %s "a"$V\'b$V\'', (v) => `a${v}b${v}`],
  ['an escaped quote before it', 'printf %s \\"$V\\"', (v) => `"${v}"`],
  ['an escaped quote inside', 'printf %s "\\"$V"', (v) => `"${v}`],
  ['an escaped backslash before it', 'printf %s "\\\\$V"', (v) => `\\${v}`],
  ['a substitution', 'printf %s "$(printf %s $V)x"', (v) => `${v}x`],
  ['a substitution, quoted', 'printf %s "$(printf %s "$V")x"', (v) => `${v}x`],
  ['a substitution, single quotes', 'printf %s "$(printf %s \'$V\')x"', (v) => `${v}x`],
  ['substitutions in substitutions', 'printf %s "$(printf %s "$(printf %s $V)x")x"', (v) => `${v}xx`],
  ['a case in a substitution', 'printf %s "$(case a in a) printf %s $V;; esac)x $V"', (v) => `${v}x ${v}`],
  ['a comment in a substitution', 'printf %s "$(printf %s $V # it\'s )\n)$V"', (v) => `${v}${v}`],
  ['backticks', 'printf %s "`printf %s $V`x"', (v) => `${v}x`],
  ['backticks, quoted', 'printf %s "`printf %s \\"$V\\"`x"', (v) => `${v}x`],
  ['bare backticks', 'x=`printf %sx $V`; printf %s "$x"', (v) => `${v}x`],
  ['process substitution', 'cat <(printf %s $V)', (v) => v],
  ['a default', 'printf %s ${NONE:-$V}', (v) => v],
  ['a default in quotes', 'printf %s "${NONE:-$V}"', (v) => v],
  ['a default with quotes in quotes', 'printf %s "${NONE:-"$V"}"', (v) => v],
  ['an apostrophe in a default', 'printf %s "${NONE:-\'$V\'}"', (v) => `'${v}'`],
  ['a prefix to take off', 'x="$V/x"; printf %s "${x#$V}"', () => '/x'],
  ['a prefix in quotes to take off', 'x="$V/x"; printf %s "${x#\'$V\'}"', () => '/x'],
  ['a test', '[[ $V == $V ]] && printf yes', () => 'yes'],
  ['a case', 'case $V in $V) printf yes;; esac', () => 'yes'],
  ['a loop', 'for x in $V "$V"; do printf %s, "$x"; done', (v) => `${v},${v},`],
  ['an array', 'a=($V "$V"); printf %s "${#a[@]}"', () => '2'],
  ['after another variable', 'x=1; printf %s "$x$V" $x$V', (v) => `1${v}1${v}`],
  ['after arithmetic', 'printf %s $((1 << 2))$V', (v) => `4${v}`],
  ['after an arithmetic command', '((x=1<<2)); printf %s $x$V', (v) => `4${v}`],
  ['after $# and a comment', "printf %s $#$V # it's", (v) => `0${v}`],
  ['after a comment', "# don't $V\nprintf %s $V", (v) => v],
  ['after a hash in a word', "printf %s a#'$V'", (v) => `a#${v}`],
  ['a here-document', "cat <<EOF\nit's $V\nEOF\nprintf %s $V", (v) => `it's ${v}\n${v}`],
  ['a here-document with tabs', 'cat <<-EOF\n\t$V\n\tEOF\nprintf %s $V', (v) => `${v}\n${v}`],
  ['a substitution in a here-document', 'cat <<EOF\n$(printf %s $V)x\nEOF', (v) => `${v}x\n`],
  ['two here-documents', "cat <<A - <<'B'\n$V\nA\nit's\nB\nprintf %s $V", (v) => `it's\n${v}`],
  ['after a here-document of any text', "cat <<'E F' >/dev/null\n\"it's $(\nE F\nprintf %s $V", (v) => v],
  ['a here-string', 'cat <<<$V', (v) => `${v}\n`],
  ['two in a row', 'printf %s $V$V', (v) => v + v],
  ['after a backslash', 'printf %s \\$V', (v) => v],
  ['after a backslash in quotes', 'printf %s "\\$V"', (v) => `\\${v}`],
  ['a longer name', 'printf %s $V_X "$V_X"', (v) => `${v}_X${v}_X`],
  ['a script for a shell', "bash -c 'printf %s $V'", (v) => v],
  ['a script for a shell, quotes in it', 'bash -c \'printf %s "$V"\'', (v) => v],
  ['a script in double quotes', 'bash -c "printf %s $V"', (v) => v],
  ['a script in double quotes, single quotes in it', 'bash -c "printf %s \'$V\'"', (v) => v],
  ['a script in double quotes, double quotes in it', 'bash -c "printf %s \\"$V\\""', (v) => v],
  ['a script without quotes', 'bash -c printf\\ %s\\ $V', (v) => v],
  ['a script with options before it', "/bin/bash -eu -o pipefail -ec 'printf %s $V'", (v) => v],
  ['a script behind env and timeout', "env X=1 timeout 5 sh -c 'printf %s $V'", (v) => v],
  ['a script in a script', 'bash -c "bash -c \'printf %s $V\'"', (v) => v],
  ['a script in a script, escaped', 'bash -c "bash -c \\"printf %s $V\\""', (v) => v],
  ['a script in pieces', "bash -c 'printf %s '$V", (v) => v],
  ['the arguments of a script', 'bash -c \'printf %s "$1"\' x $V', (v) => v],
  ['eval', "eval 'printf %s $V'", (v) => v],
  ['eval without quotes', 'eval printf %s $V', (v) => v],
  ['a trap', "trap 'printf %s $V' EXIT", (v) => v],
  ['a script in a here-document', "bash <<'EOF'\nprintf %s $V\nEOF", (v) => v],
  ['a script in an open here-document', 'bash -s <<EOF\nprintf %s "$V" $V\nEOF', (v) => v + v],
  ['a script in a here-string', 'bash <<< "printf %s $V"', (v) => v],
];

describe('startCommand, in a real bash', () => {
  it.each(PLACES)('%s', (_, template, expected) => {
    const command = template.replaceAll('$V', '$GEMINI_CWD');
    for (const value of [...HOSTILE, ...PLAIN]) {
      const start = startCommand(command, valuesOf(value));
      const result = run('bash', start.command, { ...start.env });
      const about = `${JSON.stringify(value)} in ${start.command}`;
      expect(result.left, about).toEqual([]);
      expect(result.stdout, `${about}: ${result.stderr}`).toBe(expected(value));
    }
  });

  it.each([
    ['$((', 'echo $(( $GEMINI_CWD + 1 ))'],
    ['((', '(( $GEMINI_CWD )); echo $?'],
    ['$[', 'echo $[$GEMINI_CWD]'],
    ['an offset', 'x=abc; echo ${x:$GEMINI_CWD}'],
  ])('arithmetic, %s: a value that is code ends the hook instead of running', (_, command) => {
    for (const value of ['a[$(touch pwned)]', 'a[`touch pwned`]', '1 + 1']) {
      const start = startCommand(command, valuesOf(value));
      const result = run('bash', start.command, { ...start.env });
      expect(result).toMatchObject({ left: [], stdout: '' });
      expect(result.status).not.toBe(0);
      expect(result.stderr).toContain('value of GEMINI_CWD is no number');
      expect(start.notes.map((note) => note.kind)).toEqual(['unreachable']);
    }
    expect(run('bash', startCommand(command, valuesOf('1')).command, {}).stdout).not.toBe('');
  });

  it('leaves a here-document with a quoted delimiter as written, and says so', () => {
    const command = "cat <<'EOF'\n$GEMINI_CWD\nEOF\n";
    expect(startCommand(command, valuesOf('/a b'))).toMatchObject({
      command,
      env: {},
      notes: [{ kind: 'unreachable' }],
    });
    expect(startCommand(command, valuesOf('/ab'))).toMatchObject({ command: "cat <<'EOF'\n/ab\nEOF\n", notes: [] });
  });

  // A shell that runs what a substitution prints or what it reads is the author's doing: so these two are kept apart.
  const quoting = [
    '$V',
    '$V',
    '\\',
    "'",
    '"',
    '$',
    '{',
    '}',
    '${x:-',
    '${x#',
    "$'",
    '#',
    ' ',
    '\n',
    ';',
    '<<E',
    "<<'E'",
    '\nE\n',
  ];
  const expanding = ['`', '$(', ')', '((', '))', '$((', 'echo ', 'case a in a) ', ' esac', 'x=', '&&', '\\"', '<<<'];
  const shells = [
    "bash -c '",
    'bash -c "',
    'bash -c ',
    "bash -c $'",
    'eval ',
    'eval "',
    "trap '",
    "' EXIT",
    'bash <<',
    'x=',
  ];
  const commands = fc.oneof(
    ...[
      [...quoting, ...expanding],
      [...quoting, ...shells],
    ].map((tokens) => fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 14 })),
  );
  it('never runs a value, in whatever text', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(commands, fc.constantFrom(...HOSTILE), (tokens, value) => {
        const start = startCommand(tokens.join('').replaceAll('$V', '$GEMINI_CWD'), valuesOf(value));
        expect(run('bash', start.command, { ...start.env }).left, start.command).not.toContain('pwned');
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  it.each([
    ["eval bash -c '$GEMINI_CWD'"],
    ["eval 'bash -c' '$GEMINI_CWD'"],
    ["bash -c 'bash -c '$GEMINI_CWD"],
    ["bash -c $'$GEMINI_CWD'"],
    ['bash -c ${x:-$GEMINI_CWD}'],
    ['bash -c "${x:-$GEMINI_CWD}"'],
    ['eval "${x:-$GEMINI_CWD}"'],
  ])('does not start what it cannot follow: %j', (command) => {
    const start = startCommand(command, valuesOf(';touch pwned'));
    expect(run('bash', start.command, { ...start.env })).toMatchObject({ left: [], status: 126, stdout: '' });
    expect(start.notes).toMatchObject([{ kind: 'unreachable', variable: 'GEMINI_CWD' }]);
    expect(startCommand(command, valuesOf('/p')).command).toBe(command.replace('$GEMINI_CWD', '/p'));
  });

  it('reads a hostile command in linear time', () => {
    const parts = [
      "'",
      '"',
      '`',
      '$(',
      '$((',
      '${x',
      "$'\\",
      '<<A\n',
      "<<'",
      'bash <<A\n',
      '# ',
      "bash -c '",
      'eval "',
    ];
    for (const part of parts) {
      const begun = performance.now();
      startCommand(`$GEMINI_CWD ${part.repeat(65_536 / part.length)} $GEMINI_CWD`, valuesOf('/a b'));
      expect(performance.now() - begun, part).toBeLessThan(1000);
    }
  });
});

describe('startCommand, the text', () => {
  const dir = 'HOOKRUN_VALUE_GEMINI_PROJECT_DIR';
  it.each<[command: string, value: string, expected: string, notes: string[]]>([
    // Recorded: command-variables-plain-cwd, -odd-session, -empty-session.
    ['bash "$GEMINI_PROJECT_DIR/hooks/s.sh"', '/p', 'bash "/p/hooks/s.sh"', []],
    ['bash $GEMINI_PROJECT_DIR/hooks/s.sh', '/p', 'bash /p/hooks/s.sh', []],
    ['echo \\$GEMINI_PROJECT_DIR', '/p', 'echo \\/p', []],
    ['echo [$GEMINI_PROJECT_DIR]', '', 'echo []', []],
    ['echo "\\$GEMINI_PROJECT_DIR"', '', `echo "\\\\\${${dir}}"`, []],
    ['echo [$GEMINI_PROJECT_DIR]', 'a b;c', `echo ["\${${dir}}"]`, []],
    ['echo "$GEMINI_PROJECT_DIR"', 'a b;c', `echo "\${${dir}}"`, ['engine-would-break']],
    // Reported: field 44.
    ['sh $GEMINI_PROJECT_DIR/g.sh', '/a b', `sh "\${${dir}}"/g.sh`, []],
    ['sh "$GEMINI_PROJECT_DIR/g.sh"', '/a b', `sh "\${${dir}}/g.sh"`, ['engine-would-break']],
    ["sh '$GEMINI_PROJECT_DIR/g.sh'", '/a b', `sh ''"\${${dir}}"'/g.sh'`, ['engine-would-break']],
    ['sh "${GEMINI_PROJECT_DIR}/g.sh"', '/a b', 'sh "${GEMINI_PROJECT_DIR}/g.sh"', []],
    ['echo $GEMINI_PROJECT_DIR_NAME', '/a b', `echo "\${${dir}}"_NAME`, ['longer-name']],
    ['echo $GEMINI_PROJECT_DIR_NAME', '/ab', 'echo /ab_NAME', ['longer-name']],
    // What is no variable of Gemini CLI's is the shell's.
    ['echo $HOME ${GEMINI_CWD} $1 $GEMINI_PROJECT', '/a b', 'echo $HOME ${GEMINI_CWD} $1 $GEMINI_PROJECT', []],
    // Gemini CLI puts a backslash before the colon, which stays in double quotes.
    ['echo "$GEMINI_PROJECT_DIR"', '/a:b', `echo "\${${dir}}"`, ['engine-would-break']],
    ['echo "$GEMINI_PROJECT_DIR"', '/a$b', `echo "\${${dir}}"`, []],
    ['echo "$GEMINI_PROJECT_DIR $GEMINI_PROJECT_DIR"', '/a b', `echo "\${${dir}} \${${dir}}"`, ['engine-would-break']],
    ['echo 1 # $GEMINI_PROJECT_DIR', '/a b', 'echo 1 # $GEMINI_PROJECT_DIR', []],
  ])('%j with %j', (command, value, expected, notes) => {
    const start = startCommand(command, valuesOf(value));
    expect(start.command).toBe(expected);
    expect(start.notes.map((note) => note.kind)).toEqual(notes);
    expect(start.env).toEqual(expected.includes(dir) ? { [dir]: value } : {});
  });

  it("keeps the payload's value when the hook's env overrides the variable (Gemini rule 57)", () => {
    const start = startCommand('printf "%s|" $GEMINI_CWD; printenv GEMINI_CWD', valuesOf('/pay load'));
    expect(run('bash', start.command, { GEMINI_CWD: 'override', ...start.env }).stdout).toBe('/pay load|override\n');
  });
});

describe('extensionCommand', () => {
  const names = { '/': '/', pathSeparator: '/', workspacePath: '/w', extensionPath: '/e', MY_SETTING: 's' };
  it.each<[command: string, values: Record<string, string>, expected: string, env: Record<string, string>]>([
    ['node ${extensionPath}${/}a${pathSeparator}b', {}, 'node /e/a/b', {}],
    ['x ${NONE} $extensionPath', {}, 'x ${NONE} $extensionPath', {}],
    ['x $${MY_SETTING}', {}, 'x \\$"${HOOKRUN_VALUE_MY_SETTING}"', { HOOKRUN_VALUE_MY_SETTING: 's' }],
    ['x ${TRUST}', { TRUST: 'a b' }, 'x "${HOOKRUN_VALUE_TRUST}"', { HOOKRUN_VALUE_TRUST: 'a b' }],
    [
      'x ${a-b}${a_b}',
      { 'a-b': '$1', a_b: '$2' },
      'x "${HOOKRUN_VALUE_a_b}""${HOOKRUN_VALUE_a_b_2}"',
      { HOOKRUN_VALUE_a_b: '$1', HOOKRUN_VALUE_a_b_2: '$2' },
    ],
  ])('%j with %j', (command, values, expected, env) => {
    expect(extensionCommand(command, { ...names, ...values })).toMatchObject({ command: expected, env });
  });

  it.each<[command: string, value: string, notes: string[]]>([
    ['x ${extensionPath}', '/a b', ['engine-would-break']],
    ['x "${extensionPath}"', '/a b', []],
    ["x '${extensionPath}'", '/a b', []],
    ["x '${extensionPath}'", "/it's", ['engine-would-break']],
    ['x ${extensionPath}', '/a:b', []],
  ])('what Gemini CLI makes of %j with %j', (command, extensionPath, notes) => {
    expect(extensionCommand(command, { extensionPath }).notes.map((note) => note.kind)).toEqual(notes);
  });

  it('goes before startCommand', () => {
    const extension = extensionCommand('printf %s "${extensionPath}" $GEMINI_CWD', { extensionPath: '$GEMINI_CWD' });
    const start = startCommand(extension.command, valuesOf('$(touch pwned)'));
    const result = run('bash', start.command, { ...extension.env, ...start.env });
    expect(result).toMatchObject({ left: [], stdout: '$GEMINI_CWD$(touch pwned)' });
  });
});

describe("substitute for goose's ${PLUGIN_ROOT}, in a real sh", () => {
  it.each<[name: string, command: string, expected: (root: string) => string]>([
    ['bare', 'printf %s ${PLUGIN_ROOT}/x', (v) => `${v}/x`],
    ['double quotes', 'printf %s "${PLUGIN_ROOT}/x"', (v) => `${v}/x`],
    ['single quotes', "printf %s '${PLUGIN_ROOT}/x'", (v) => `${v}/x`],
    ['after a backslash', 'printf %s \\${PLUGIN_ROOT}', (v) => v],
    ['after a dollar', 'printf %s $${PLUGIN_ROOT}', (v) => `$${v}`],
    ['after a dollar in quotes', 'printf %s "$${PLUGIN_ROOT}"', (v) => `$${v}`],
    ['in backticks in quotes', 'printf %s "`printf %s "${PLUGIN_ROOT}"`x"', (v) => `${v}x`],
    ['in a default', 'printf %s "${NONE:-${PLUGIN_ROOT}}"', (v) => v],
    ['in a script', "sh -c '. ${PLUGIN_ROOT}/none 2>/dev/null || :; printf %s ${PLUGIN_ROOT}' || :", () => ''],
    ['with a default, left to the shell', 'printf %s "${PLUGIN_ROOT:-x}"', () => 'x'],
  ])('%s', (name, command, expected) => {
    for (const PLUGIN_ROOT of [
      '/plain',
      '/a b',
      "/it's",
      '/x; touch pwned; :',
      '/$(touch pwned)',
      '/`touch pwned`',
      '/"',
    ]) {
      const made = substitute(command, { PLUGIN_ROOT }, { style: 'braces' });
      for (const shell of ['sh', 'bash']) {
        const result = run(shell, made.command, { ...made.env });
        expect(result.left, made.command).toEqual([]);
        if (name !== 'in a script') expect(result.stdout, `${shell} ${made.command}`).toBe(expected(PLUGIN_ROOT));
      }
    }
  });
});

describe('expandEnv', () => {
  const env = { FOO: 'foo val', EMPTY: '', QUOTE: "it's", SELF: '$FOO', A1: 'a' };
  it.each([
    // Recorded: settings-env-expansion.
    ['n-$FOO', 'n-foo val'],
    [
      'echo $FOO ${FOO} ${NOPE:-dflt} ${NOPE} $NOPE ${EMPTY:-used} \'$FOO\' \\$FOO $$FOO "$QUOTE"',
      "echo foo val foo val dflt ${NOPE} $NOPE  'foo val' \\foo val $foo val \"it's\"",
    ],
    ["awk '{print $2}'", "awk '{print $2}'"],
    [
      'x=5; echo $x ${x} ${#x} ${x%5} $((1+1)) $(echo sub) $? $#',
      'x=5; echo $x ${x} ${#x} ${x%5} $((1+1)) $(echo sub) $? $#',
    ],
    ['${NOPE:-d}', 'd'],
    ['${NOPE:-}', ''],
    ['${NOPE:-a:-b}', 'a:-b'],
    ['$FOO_X $FOO-X $A1', '$FOO_X foo val-X a'],
    ['$SELF', '$FOO'],
    ['${NOPE $FOO} $FOO', '${NOPE $FOO} foo val'],
    ['${ $FOO', '${ foo val'],
    ['${} ${:-x} $', '${} ${:-x} $'],
    ['$constructor ${__proto__} $toString', '$constructor ${__proto__} $toString'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(expandEnv(text, env)).toBe(expected);
  });

  it('takes linear time', () => {
    for (const part of ['${', '$', '$FOO', '${a:-', '{']) {
      // Its own time, not the clock's: a busy machine may let it wait.
      const begun = process.cpuUsage();
      expandEnv(part.repeat(100_000), env);
      const { user, system } = process.cpuUsage(begun);
      expect((user + system) / 1000, part).toBeLessThan(500);
    }
  });
});

describe('expandStrings', () => {
  const mark = (text: string, key: string) => `${key}:${text}`;

  it('gives every string with the key it belongs to, and keeps the rest', () => {
    const value = { a: 'x', list: ['y', { b: 'z' }, 1, null, true], $FOO: 'k', '10': 'n' };
    const before = structuredClone(value);
    expect(expandStrings(value, mark)).toEqual({
      a: 'a:x',
      list: ['list:y', { b: 'b:z' }, 1, null, true],
      $FOO: '$FOO:k',
      '10': '10:n',
    });
    expect(value).toEqual(before);
    expect(expandStrings('s', mark)).toBe(':s');
    expect(expandStrings(null, mark)).toBe(null);
  });

  it('keeps a __proto__ key an ordinary one', () => {
    const made = expandStrings(JSON.parse('{"__proto__":{"polluted":"x"},"a":"b"}'), mark);
    expect(JSON.stringify(made)).toBe('{"__proto__":{"polluted":"polluted:x"},"a":"a:b"}');
    expect((made as { polluted?: string }).polluted).toBeUndefined();
  });

  it('does not mind depth', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 200_000; level++) deep = [deep];
    let made = expandStrings(deep, mark);
    while (Array.isArray(made)) made = made[0];
    expect(made).toBe(':x');
  });
});

it('leaves no file behind', () => {
  expect(existsSync(join(folder, 'pwned'))).toBe(false);
});
