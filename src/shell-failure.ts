/**
 * Whether the stderr of a hook that ended with exit code 2 reads as if the shell, an interpreter or a tool had failed rather than
 * as if a policy had spoken: dash and bash end with 2 on a syntax error, dash and python on a missing script, grep, jq, awk and argparse on
 * wrong usage or input. Such a denial stands, but somebody should look. Pure; linear in the text.
 */
export function readsLikeShellFailure(stderr: string): boolean {
  const text = stderr.slice(0, 16_384);
  return signs.some((sign) => sign.test(text));
}

const shell = String.raw`(?:\S*\/)?(?:ba|da|z|k|a)?sh`;
const tools = 'ls|cat|jq|sed|m?awk|gawk|diff|cmp|find|sort|tar|curl|git|rg|test|\\[';

const signs: readonly RegExp[] = [
  // bash: -c: line 1: syntax error …, sh: 1: Syntax error: …
  new RegExp(`^${shell}: .*syntax error`, 'im'),
  // A script names itself: guard.sh: line 3: syntax error …, guard.sh: 3: Syntax error: …
  /^\S+: (?:line )?\d+: (?:.*syntax error|unexpected EOF|(?:.*: )?bad substitution)/im,
  // sh: 0: cannot open x, bash: line 1: x: command not found, sh: 1: x: not found
  new RegExp(
    `^${shell}: .*(?:cannot open|can't open|not found|no such file|permission denied|bad substitution|parameter not set|unbound variable|illegal option|invalid option|unexpected)`,
    'im',
  ),
  /^(?:\S*\/)?python[\d.]*: can't open file/im,
  /^node:internal\/|^Error: Cannot find module/m,
  /^(?:\S*\/)?(?:e|f|z)?grep: /m,
  /^(?:usage|Usage): /m,
  new RegExp(
    `^(?:\\S*\\/)?(?:${tools}): .*(?:no such file|error|cannot|can't|invalid|unknown|unrecognized|missing operand|expected)`,
    'im',
  ),
];
