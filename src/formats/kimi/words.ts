/** Every sentence about Kimi Code that a user can read, by its stable code. */

import { speaker } from '../../problems.ts';

const quote = (text: string): string => JSON.stringify(text);

const blocks = 'a hook blocks with exit 2, or with exit 0 and {"hookSpecificOutput":{"permissionDecision":"deny"}}';

export const kimiWords = {
  // config.toml
  'kimi-toml-syntax': (why: string) => `not valid TOML: ${why} (Kimi Code then has no hooks at all)`,
  'kimi-entry-invalid': (key: string | undefined, why: string) =>
    `${key === undefined ? '' : `${key} `}${why}; one bad entry switches off all hooks of this file`,
  'kimi-hooks-not-list': (found: string) =>
    `hooks must be a list of entries, [[hooks]] each, but it is ${found}, so no hook of this file counts; write [[hooks]] with event = "PreToolUse" below it`,
  'kimi-older-config': (path: string) =>
    `${path} belongs to the older kimi-cli; Kimi Code does not read it, and hookrun only when --config names it`,
  // Plugins
  'kimi-installed-invalid': (why: string) => `the list of plugins can't be used: ${why}`,
  'kimi-plugin-invalid': (id: string, why: string) => `plugin ${quote(id)} is left out with all its hooks: ${why}`,
  'kimi-plugin-hooks': (id: string, found: string) =>
    `hooks of plugin ${quote(id)} must be a list of entries, but it is ${found} and is ignored`,
  'kimi-plugin-entry-invalid': (id: string, key: string | undefined, why: string) =>
    `this hook of plugin ${quote(id)} is left out: ${key === undefined ? '' : `${key} `}${why}`,
  // Matchers
  'kimi-tool-name': (name: string, meant: string) =>
    `the matcher names ${name}, a tool of another agent or of the older kimi-cli; Kimi Code calls it ${meant}`,
  // Commands
  'kimi-template': (text: string) =>
    `${text} stays as it is: Kimi Code puts nothing of the payload into a command; the hook reads it as JSON from stdin`,
  'kimi-foreign-variable': (name: string) =>
    `$${name} is not set: Kimi Code adds no variables to a hook's environment; the payload comes as JSON on stdin`,
  // Reading a run
  'kimi-foreign-block': (what: string) => `${what} has no effect in Kimi Code, so this does not block: ${blocks}`,
  'kimi-foreign-output': (what: string) => `${what} has no effect in Kimi Code`,
  'kimi-deny-ignored': (code: number) =>
    `the output denies, but with exit code ${code} Kimi Code ignores it: ${blocks}`,
  'kimi-deny-on-stderr': () => `the deny stands on stderr, where Kimi Code does not read it: ${blocks}`,
  'kimi-deny-lost': (why: string) =>
    `the output holds a deny that Kimi Code can't see: ${why}. Print nothing but one JSON object`,
  'kimi-output-broken-json': (why: string) =>
    `stdout looks like JSON but does not parse, so it counts as plain text: ${why}`,
} as const;

export const say = speaker(kimiWords);
