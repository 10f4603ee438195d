/** Every sentence about Gemini CLI that a user can read, by its stable code. */

import { speaker } from '../../problems.ts';

const quote = (text: string): string => JSON.stringify(text);

export const geminiWords = {
  // Settings
  'gemini-settings-syntax': (why: string) => `not valid JSON: ${why} (Gemini CLI does not start with it either)`,
  'gemini-settings-not-object': (found: string) =>
    `the settings must be a JSON object, but this is ${found} (Gemini CLI does not start with it either)`,
  'gemini-system-file-unsafe': (why: string) =>
    `left out, as Gemini CLI does: ${why}; system settings count only when the file and all folders above belong to root and nobody else can write there`,
  'gemini-trusted-folders': (why: string) => `the list of trusted folders can't be used: ${why}`,
  'gemini-hooks-not-object': (found: string) =>
    `hooks must be an object with a list for each event, but it is ${found}`,
  'gemini-unknown-event': (name: string, meant: string | undefined) =>
    `${quote(name)} is no event of Gemini CLI, so these hooks never run${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  'gemini-event-not-list': (name: string, found: string, counts: boolean) =>
    `${name} must hold a list, but it is ${found}${counts ? '; it is taken as a list of one' : ' and is ignored'}`,
  // Definitions and entries
  'gemini-definition-without-hooks': (flat: boolean) =>
    flat
      ? 'it has a command but no hooks list, so it is discarded; the entry belongs one level deeper: {"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}'
      : 'it has no hooks list, so it is discarded',
  'gemini-entry-invalid': (why: string) => `discarded: ${why}`,
  'gemini-command-not-string': (found: string) =>
    `command must be a string, but it is ${found}: it fails when it is to run`,
  'gemini-timeout-odd': (raw: string) =>
    `timeout ${raw} is not usable and means 1 ms in Gemini CLI (give milliseconds, up to 2147483647)`,
  'gemini-timeout-null': () => 'timeout must be a number; null counts as the default of 60000 ms',
  'gemini-timeout-unit': (ms: number) =>
    `timeout ${ms} means ${ms} milliseconds in Gemini CLI; ${ms} seconds would be ${ms * 1000}`,
  'gemini-extension-variable': (name: string) =>
    `${name} has a value only in an extension's hooks.json; here the shell finds it empty`,
  // Matchers
  'gemini-matcher-not-string': (found: string) => `matcher must be a string, but it is ${found}`,
  'gemini-matcher-exact': (event: string, matcher: string) =>
    `${event} compares its matcher as a whole string, so ${quote(matcher)} never matches as a pattern; use one entry for each value`,
  'gemini-matcher-ignored': (event: string) => `${event} ignores its matcher: the hook always runs`,
  'gemini-matcher-literal': (matcher: string, why: string) =>
    `${quote(matcher)} is no valid pattern (${why}), so it is compared as a whole string`,
  'gemini-matcher-empty-alternative': (matcher: string) =>
    `${quote(matcher)} has an empty alternative, which matches every tool`,
  'gemini-matcher-expression': (matcher: string) =>
    `${quote(matcher)} looks like an expression, but a matcher is a regular expression for the tool's name`,
  'gemini-foreign-tool': (tool: string, meant: string) =>
    `the matcher names ${tool}, a tool of another agent; Gemini CLI calls it ${meant}`,
  // Commands
  'gemini-quoted-variable': (note: string) => note,
  'gemini-longer-name': (note: string) => note,
  'gemini-unreachable-variable': (note: string) => note,
  // Extensions
  'gemini-extension-invalid': (why: string) => `the extension is left out: ${why}`,
  'gemini-extension-duplicate': (name: string, other: string) =>
    `there is another extension called ${quote(name)}: ${other}`,
  'gemini-extension-hooks': (why: string) => `the extension's hooks can't be used: ${why}`,
  'gemini-enablement': (why: string) => `counts as empty: ${why}`,
  'gemini-keychain': (name: string) =>
    `the setting ${name} is sensitive and kept in the keychain, which hookrun does not open: hooks do not get it`,
  'gemini-no-tool': () =>
    'the payload has no tool_name, so every matcher is ignored and all hooks of the event run (--tool names one)',
  // Reading a run
  'gemini-decision-unknown': (value: string) =>
    `decision ${value} is not known and counts as allow; Gemini CLI knows allow, approve, deny, block and ask, in lower case`,
  'gemini-continue-odd': (value: string) => `continue ${value} does not stop; only false does`,
  'gemini-foreign-dialect': (what: string) =>
    `${what} belongs to another agent's hooks and has no effect in Gemini CLI; write {"decision":"deny","reason":"…"}`,
  'gemini-specific-not-object': (found: string) =>
    `hookSpecificOutput must be an object, but it is ${found}: it is dropped`,
  'gemini-deny-in-array': () => 'the deny stands inside an array, where Gemini CLI does not see it',
  'gemini-tool-names-not-list': (found: string) =>
    `allowedFunctionNames must be a list, but it is ${found}: it is dropped`,
  'gemini-output-polluted': (why: string) =>
    `stdout holds a decision that Gemini CLI can't see: ${why}; the whole output is taken as a message, and the hook allows. Print nothing but one JSON object`,
  'gemini-output-broken-json': () =>
    'stdout looks like JSON but does not parse, so it is taken as a message, and the hook allows',
  'gemini-output-is-payload': () => 'the output is the payload itself, not a decision',
  'gemini-exit-1': () => 'the text reads like a refusal, but exit code 1 only warns; exit 2 blocks',
  'gemini-exit-other': (code: number) =>
    `exit code ${code} with text blocks in Gemini CLI 0.61, while its documentation and older versions call that a warning; exit 2 blocks everywhere`,
  'gemini-no-context': (event: string) => `additionalContext has no effect on ${event}`,
  'gemini-tool-input-conflict': (loser: string, keys: string) =>
    `both rewrite tool_input, and this later one replaces what ${loser} gave (${keys})`,
} as const;

export const say = speaker(geminiWords);
