/**
 * Where hookrun decides otherwise than the agent's own engine, on purpose: the one place. The warnings `engine-differs`, the tests
 * that pin these rows and the README's table are made from it.
 */

export interface Difference {
  /** Stable: tests and warnings name it. */
  readonly id: string;
  readonly format: string;
  readonly engine: string;
  readonly hookrun: string;
}

export const differences: readonly Difference[] = [
  {
    id: 'gemini-exit-2',
    format: 'gemini',
    engine: 'exit 2 without any output, or with JSON that denies nothing, does not block',
    hookrun:
      'deny, since exit 2 is documented to block; the reason is stderr, else `Blocked by hook <name> (exit code 2)`',
  },
  {
    id: 'gemini-kill',
    format: 'gemini',
    engine: 'on a timeout only bash gets SIGTERM, SIGKILL is never sent, and the result waits for grandchildren',
    hookrun: 'the whole process group gets SIGTERM and, 5 s later, SIGKILL; the run ends then',
  },
  {
    id: 'gemini-lost-deny',
    format: 'gemini',
    engine:
      'a deny that was printed before the timeout, or to which a background process added something later, is lost',
    hookrun:
      'the deny counts: what stood on the pipes when the hook ended, or when its time was up, is judged, and so is the object that a shared output begins with',
  },
  {
    id: 'gemini-signal',
    format: 'gemini',
    engine: 'death by a signal is read as exit 0',
    hookrun: 'text is then no decision (a hook failure); a JSON deny counts',
  },
  {
    id: 'gemini-utf8',
    format: 'gemini',
    engine: 'a character that is split between two reads is broken',
    hookrun: 'output is decoded once, at the end',
  },
  {
    id: 'gemini-bashrc',
    format: 'gemini',
    engine: 'bash reads `~/.bashrc` where SHLVL is unset or 0, and its output comes first',
    hookrun: 'SHLVL is set to at least 1, so it does not (and is one higher inside the hook)',
  },
  {
    id: 'gemini-tool-input',
    format: 'gemini',
    engine: "the final `tool_input` is the last hook's object alone",
    hookrun:
      "`effects.toolInput` is the merged result: in parallel the payload's with the last rewrite over it, in sequence with every rewrite; a failed hook's, or one that is no object, does not count",
  },
  {
    id: 'gemini-context',
    format: 'gemini',
    engine: '`additionalContext` is kept raw in the result',
    hookrun: '`effects.additionalContext` is escaped as the model gets it',
  },
  {
    id: 'gemini-bad-specific',
    format: 'gemini',
    engine: "a `hookSpecificOutput` that is no object loses every hook's verdict",
    hookrun: 'it is dropped with a warning, and the verdicts stand',
  },
  {
    id: 'gemini-later-allow',
    format: 'gemini',
    engine: "on BeforeModel and AfterModel a later hook's allow or plain text cancels an earlier deny or stop",
    hookrun: 'a stated deny or stop stands',
  },
  {
    id: 'gemini-tool-names',
    format: 'gemini',
    engine: '`allowedFunctionNames` given as a string falls apart into letters, as a number it loses the event',
    hookrun: 'it is dropped with a warning',
  },
  {
    id: 'gemini-matcher-type',
    format: 'gemini',
    engine: 'a matcher that is no string stops every hook of the event',
    hookrun: 'that definition alone is skipped as invalid',
  },
  {
    id: 'gemini-hook-type',
    format: 'gemini',
    engine: 'entries of type "plugin" or "runtime" in a settings file are run, or fail',
    hookrun: 'they are skipped as invalid',
  },
  {
    id: 'gemini-trust',
    format: 'gemini',
    engine:
      'without a decision about trust, user and system hooks are off too; project hooks that changed run after one warning',
    hookrun:
      'undecided is refused (exit 77); decided against leaves the whole project scope out; user and system hooks always run',
  },
  {
    id: 'gemini-env-expansion',
    format: 'gemini',
    engine: '`$VAR` in a command is replaced by its value, as raw text, when settings are loaded',
    hookrun:
      'the command is left to the shell, which sees the same names in its environment; names, matchers and `env` values are expanded as the engine does',
  },
  {
    id: 'gemini-command-values',
    format: 'gemini',
    engine:
      '`$GEMINI_PROJECT_DIR`, `${extensionPath}` and the like are pasted into the command, so that `"$GEMINI_PROJECT_DIR/x"` breaks on a path with spaces',
    hookrun:
      'a value with special characters stays a reference to a variable: both forms work, and nothing can be injected',
  },
  {
    id: 'gemini-environment',
    format: 'gemini',
    engine:
      "hooks inherit everything unless settings or GitHub Actions say otherwise, and a project's `.env` is loaded",
    hookrun:
      'hooks of a project or an extension get a sanitized environment, and what a project writes as `$VAR` is taken from it; no `.env` is loaded',
  },
  {
    id: 'gemini-tty',
    format: 'gemini',
    engine: 'a hook can open /dev/tty',
    hookrun: 'it can not: it has a session of its own',
  },
  {
    id: 'goose-lost-deny',
    format: 'goose',
    engine:
      'a denial (exit 2, a printed block) is lost when a background process holds the pipes past the timeout, when the timeout comes after the block was printed, or when something that was left running adds to the output',
    hookrun: 'the denial counts: what stood on the pipes when the hook ended, or when its time was up, is judged',
  },
  {
    id: 'goose-kill',
    format: 'goose',
    engine: 'on a timeout `sh` alone is killed, with SIGKILL at once, and its children live on',
    hookrun: 'the whole process group gets SIGTERM and, 2 s later, SIGKILL',
  },
  {
    id: 'goose-both-full',
    format: 'goose',
    engine: 'a payload and an output of over 64 KiB each wait for one another until the timeout',
    hookrun: 'both are served at once',
  },
  {
    id: 'goose-formality',
    format: 'goose',
    engine:
      'a clear block does not count when a byte order mark stands before it, when `decision` or `reason` stands there twice, or when half of a surrogate pair is in it',
    hookrun: 'it denies; of a `decision` given twice any `"block"` does',
  },
  {
    id: 'goose-timeout-range',
    format: 'goose',
    engine: '`timeout: 0` is a race that the hook hardly ever wins, and timeouts go up to 2^64 s',
    hookrun: 'with 0 the hook is not started (`timed-out`); a timeout of more than 2^31-1 ms counts as that',
  },
  {
    id: 'goose-undelivered',
    format: 'goose',
    engine:
      'whether a payload counts as delivered is a matter of timing where it is small, and of what fits into a pipe where it is large',
    hookrun: 'up to 64 KiB always counts as delivered; a larger one must be read to its end',
  },
  {
    id: 'goose-plugin-root',
    format: 'goose',
    engine:
      "`${PLUGIN_ROOT}` is pasted into the command as text, so a path with a space splits and a folder's name can run as shell code",
    hookrun:
      'a path with special characters stays a reference to a variable: bare and quoted work, and nothing can run',
  },
  {
    id: 'goose-hidden-plugin',
    format: 'goose',
    engine:
      "an empty or broken plugin folder silently hides the user's plugin of that name, and one misshapen entry silently voids config.yaml's map",
    hookrun: 'the same, with a warning `goose-plugin-hidden` or `goose-config-map-dropped` that names what was hidden',
  },
  {
    id: 'goose-exit-2',
    format: 'goose',
    engine: 'any exit 2 is a policy denial, that of a shell which did not find its script included',
    hookrun: 'the same, with a warning `exit-2-by-shell` where stderr shows that the shell or an interpreter failed',
  },
  {
    id: 'goose-trust',
    format: 'goose',
    engine: 'the plugins of a project run unasked',
    hookrun: 'only in a folder that the user trusts; undecided is refused (exit 77)',
  },
  {
    id: 'kimi-held-exit',
    format: 'kimi',
    engine:
      'an exit 2 is lost when a background process holds a pipe past the timeout, and that process is then killed with the group',
    hookrun: 'the exit code stands 100 ms after the hook ended; the background process is left alone',
  },
  {
    id: 'kimi-late-output',
    format: 'kimi',
    engine: 'what a background process writes after the hook has ended is part of its output',
    hookrun:
      'what comes more than 100 ms after the end is not (warning `engine-unknown`), and nothing undoes a deny that the output begins with',
  },
  {
    id: 'kimi-early-deny',
    format: 'kimi',
    engine: 'a complete deny JSON that was printed before a timeout, or before death by a signal, does not count',
    hookrun: 'it denies',
  },
  {
    id: 'kimi-login-path',
    format: 'kimi',
    engine: "hooks get PATH with the entries of a login shell's added",
    hookrun: 'they get the environment as it is',
  },
  {
    id: 'kimi-matcher-invalid',
    format: 'kimi',
    engine: 'an invalid matcher never matches, silently',
    hookrun: 'the same, with a warning',
  },
  {
    id: 'kimi-deny-exit-code',
    format: 'kimi',
    engine: 'a deny JSON with another exit code than 0 is ignored, silently',
    hookrun: 'the same, as it is documented, with a warning `kimi-deny-ignored`',
  },
];

/** The row with this id; throws for an id that does not exist, so that no warning can be without its words. */
export function difference(id: string): Difference {
  const row = differences.find((one) => one.id === id);
  if (row === undefined) throw new Error(`no difference ${id}`);
  return row;
}
