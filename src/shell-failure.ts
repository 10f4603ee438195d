/**
 * Whether the stderr of a hook that ended with exit code 2 reads as if the shell, an interpreter or a tool had failed rather than
 * as if a policy had spoken: dash and bash end with 2 on a syntax error, dash and python on a missing script, grep and argparse on
 * wrong usage. Such a denial stands, but somebody should look. Pure; linear in the text.
 */
export function readsLikeShellFailure(stderr: string): boolean {
  const text = stderr.slice(0, 16_384);
  return signs.some((sign) => sign.test(text));
}

const signs: readonly RegExp[] = [
  // bash: -c: line 1: syntax error …, sh: 1: Syntax error: …
  /^(?:\S*\/)?(?:ba|da|z|k|a)?sh: .*syntax error/im,
  // sh: 0: cannot open x, bash: line 1: x: command not found, sh: 1: x: not found
  /^(?:\S*\/)?(?:ba|da|z|k|a)?sh: .*(?:cannot open|can't open|not found|no such file|permission denied|bad substitution|parameter not set|unexpected)/im,
  /^(?:\S*\/)?python[\d.]*: can't open file/im,
  /^node:internal\/|^Error: Cannot find module/m,
  /^(?:\S*\/)?(?:e|f)?grep: /m,
  /^(?:usage|Usage): /m,
  /^(?:\S*\/)?(?:ls|cat|jq|sed|awk): .*(?:no such file|error|cannot)/im,
];
