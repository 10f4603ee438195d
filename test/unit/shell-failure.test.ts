import { describe, expect, it } from 'vitest';
import { readsLikeShellFailure } from '../../src/shell-failure.ts';

describe('stderr of an exit 2', () => {
  it.each([
    'sh: 1: Syntax error: end of file unexpected (expecting ")")',
    "bash: -c: line 1: syntax error near unexpected token `fi'",
    'bash: -c: line 1: unexpected EOF while looking for matching `"\'',
    'guard.sh: 3: Syntax error: "fi" unexpected',
    '/p/scripts/guard.sh: line 12: syntax error: unexpected end of file',
    'guard.sh: 2: Bad substitution',
    'sh: 0: cannot open /p/missing.sh: No such file',
    'sh: 0: Illegal option -o pipefail',
    'bash: line 1: jqq: command not found',
    'sh: 1: jqq: not found',
    'bash: /p/guard.sh: No such file or directory',
    "python3: can't open file '/p/guard.py': [Errno 2] No such file or directory",
    "Error: Cannot find module '/p/guard.js'",
    'grep: Unmatched [, [^, [:, [., or [=',
    'grep: a.txt: No such file or directory',
    'Usage: grep [OPTION]... PATTERNS [FILE]...',
    'usage: guard.py [-h] --mode MODE\nguard.py: error: the following arguments are required: --mode',
    "ls: cannot access 'x': No such file or directory",
    'jq: parse error: Invalid numeric literal at line 1, column 5',
    'jq: error: Could not open file x: No such file or directory',
    'diff: a: No such file or directory',
    'rg: regex parse error:',
    'first a line of its own\nsh: 1: Syntax error: Unterminated quoted string',
  ])('%s reads like a failure', (text) => expect(readsLikeShellFailure(text)).toBe(true));

  it.each([
    '',
    'denied by policy',
    'BLOCKED: rm -rf is not allowed',
    'this command has a syntax error, fix it first',
    'the file was not found in the list of allowed files',
    'secrets: 3 found',
    'policy: use rg instead of grep',
    'See usage: docs/policy.md',
  ])('%j does not', (text) => expect(readsLikeShellFailure(text)).toBe(false));

  it('takes no time on a long one', () => {
    const began = process.cpuUsage();
    readsLikeShellFailure('sh: '.repeat(1_000_000));
    readsLikeShellFailure(`${'a'.repeat(1_000_000)}\n`);
    // Its own time, not the clock's: a busy machine may let it wait.
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(500);
  });
});
