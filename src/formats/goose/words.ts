/** Every sentence about goose that a user can read, by its stable code. All arguments are texts. */

import { speaker } from '../../problems.ts';

const quote = (text: string): string => JSON.stringify(text);
const meant = (text: string): string => (text === '' ? '' : `; did you mean ${text}?`);

export const gooseWords = {
  // Plugins and switches
  'goose-plugin-hidden': (name: string, winner: string, state: string) =>
    `the plugin ${quote(name)} in this folder does not run: ${winner} has the same name and comes first${state}`,
  'goose-plugins-unreadable': (why: string) => `the plugin folder can't be read, so its hooks do not run: ${why}`,
  'goose-settings-left-out': (why: string) => `left out, as in goose, and the other settings files count: ${why}`,
  'goose-config-syntax': (why: string) => `left out, as in goose: not valid YAML: ${why}`,
  'goose-config-unreadable': (why: string) => `left out, as in goose: ${why}`,
  'goose-config-map-dropped': (entry: string, lost: string) =>
    `the whole map of plugins counts as empty, since ${entry}; goose also writes the map anew then, with every plugin on${lost === '' ? '' : `; switched on by that: ${lost}`}`,
  // hooks.json
  'goose-file-skipped': (why: string) => `goose skips the whole file, none of its hooks run: ${why}`,
  'goose-events-without-hooks': (event: string) =>
    `${event} stands at the top of the file, where goose does not look: the events belong into {"hooks": {…}}`,
  'goose-unknown-event': (name: string, near: string) =>
    `${quote(name)} is no event of goose, so these hooks never run${meant(near)}`,
  'goose-action-type': (type: string) =>
    `goose ignores an action of type ${quote(type)}${type.trim().toLowerCase() === 'command' ? '; it must be exactly "command"' : ', it only knows "command"'}`,
  'goose-action-without-command': () => 'goose ignores this action: it has no command',
  'goose-key-unknown': (key: string, where: string, right: string) =>
    `goose does not know the key ${quote(key)} ${where} and ignores it${meant(right)}`,
  'goose-timeout-unit': (seconds: string) =>
    `timeout ${seconds} means ${seconds} seconds in goose; for milliseconds write ${Math.max(1, Math.round(Number(seconds) / 1000))}`,
  // Matchers
  'goose-matcher-invalid': (matcher: string, why: string) =>
    `goose skips this rule: the matcher ${quote(matcher)} is no valid pattern of Rust's regex (${why})`,
  'goose-matcher-star': () =>
    'goose skips this rule: "*" is no valid pattern; leave the matcher out, or write ".*", to match everything',
  'goose-foreign-tool': (tool: string, right: string) =>
    `the matcher names ${tool}, a tool that goose does not have${meant(right)}`,
  'goose-foreign-tool-name': (tool: string, right: string) =>
    `the payload's tool is ${tool}, which is not how goose calls a tool${meant(right)}`,
  // Starting
  'goose-plugin-root-unreachable': (quoting: string) =>
    `\${PLUGIN_ROOT} stands ${quoting}, where the plugin's path has no safe form: it is not put in`,
  // Reading a run
  'goose-foreign-dialect': (what: string) =>
    `${what} belongs to another agent's hooks and decides nothing in goose; write {"decision":"block","reason":"…"}, or exit 2 with the reason on stderr`,
  'goose-unread-payload': (bytes: string, failsClosed: string) =>
    `${bytes} bytes of the payload were left unread, so goose counts the hook as failed${failsClosed === '' ? '' : ', and with on_failure "block" that denies'}; read all of it (cat >/dev/null)`,
} as const;

export type Code = keyof typeof gooseWords;

export const say = speaker(gooseWords);
