/** Every sentence of the stages that a user can read, by its stable code. Formats bring their own (`words.ts` in their folder). */

import type { FormatEntry } from './formats/format.ts';
import { nearestEvent } from './nearest-event.ts';
import { type Place, type Problem, speaker } from './problems.ts';

export const stageWords = {
  // Usage
  'usage-invalid': (message: string) => message,
  'usage-stray': (word: string) =>
    `${JSON.stringify(word)} is no command of hookrun, and run takes no arguments: a payload in a file is given by -p <file>, commands are run, stream, trust and untrust`,
  'payload-none': () => 'no payload: nothing on stdin and no --payload',
  'stream-terminal': () => 'stdin is a terminal: a stream is one payload a line, from a file or a pipe',
  'event-missing': (field: string) => `the payload has no ${field}, so it is not known which event this is`,
  'event-unknown': (name: string, title: string, hint: string) =>
    `${JSON.stringify(name)} is no event of ${title}; ${hint}`,
  'format-unclear': (seen: string) => `it is not clear which agent this payload comes from: ${seen}`,
  'format-misfit': (title: string, others: string, name: string) =>
    `the payload is one of ${title}, but only ${others} is configured here (--format ${name} would read it as that)`,
  'format-unknown': (name: string, known: string) => `there is no format ${JSON.stringify(name)}; known are ${known}`,
  'flag-value': (flag: string, value: string, expected: string) =>
    `${flag} ${JSON.stringify(value)} is not valid: expected ${expected}`,
  'platform-unsupported': (platform: string) => `hookrun does not run on ${platform} yet: it needs Linux or macOS`,
  // Payload
  'payload-empty': () => 'the payload is empty',
  'payload-not-utf8': (offset: number) => `the payload is not valid UTF-8 (at byte ${offset})`,
  'payload-not-json': (why: string) => `the payload is not valid JSON: ${why}`,
  'payload-not-object': (found: string) => `the payload must be a JSON object, but it is ${found}`,
  'payload-too-large': (mib: number) => `the payload is larger than ${mib} MiB`,
  'payload-too-much': (most: number) => `the payload holds more than ${most} values`,
  'payload-field': (at: string, expected: string, found: string) => `${at} must be ${expected}, but it is ${found}`,
  'payload-path': (path: string, why: string) => `--set ${path} can't be done: ${why}`,
  // Files
  'file-unreadable': (why: string) => `can't be read: ${why}`,
  // hookrun's own settings
  'settings-unreadable': (why: string) => `hookrun's settings can't be read: ${why}`,
  'settings-no-data': (why: string) => `hookrun's settings are ${why}`,
  'settings-import': () => '$import is not followed: settings hold values, and load nothing',
  'settings-unknown': (key: string, near: string | undefined) =>
    `${JSON.stringify(key)} is no setting of hookrun${near === undefined ? '' : `; did you mean ${near}?`}`,
  'settings-value': (key: string, expected: string) => `${key} must be ${expected}`,
  'settings-variable': (variable: string, value: string, expected: string) =>
    `${variable}=${JSON.stringify(value)} is not valid: expected ${expected}`,
  'settings-second': (first: string) => `this file is not looked at, since ${first} comes first`,
  'settings-project': (key: string, value: string) =>
    `a project has no say about ${key}: ${value} is left out (it may block on failures, require a match, lower the timeout of its own hooks, and set colour and verbosity)`,
  'log-unwritable': (why: string) => `the run is not in the log: ${why}`,
  // Run
  'project-missing': (dir: string) =>
    `the payload's folder ${dir} does not exist, so the current folder stands for the project (--project says which)`,
  'switched-off': (what: string, count: number) => `${what} switches ${count === 1 ? '1 hook' : `${count} hooks`} off`,
  nested: () =>
    'this hookrun was started as a hook by another one (HOOKRUN_DEPTH is set), so it runs nothing and allows',
  untrusted: (project: string, names: string) =>
    `the folder ${project} is not trusted yet, and its configuration would change what runs on this event: ${names}`,
  'untrusted-changed': (project: string, changes: string, names: string) =>
    `the folder ${project} has changed since it was trusted (${changes})${names === '' ? '' : `, and its configuration would change what runs on this event: ${names}`}`,
  'untrusted-left-out': (by: string) => `the project's own hooks and switches are left out: not trusted (${by})`,
  'trust-too-much': (why: string) => `there can be no fingerprint of this: ${why}`,
  'trust-store': (why: string) =>
    `hookrun's record of trusted folders can't be used, so nothing counts as trusted: ${why}`,
  'trust-store-unwritable': (why: string) => `hookrun's record of trusted folders can't be written: ${why}`,
  'trust-variable': (value: string) =>
    `HOOKRUN_TRUST=${JSON.stringify(value)} trusts nothing: it must be 1, or the value that hookrun trust --fingerprint prints`,
  'trust-script-changed': (name: string, path: string, when: string) =>
    `${name} names ${path}, and that changed ${when}, so it is denied`,
  'trust-folder-outside': (name: string, cwd: string, project: string) =>
    `${name} would run in ${cwd}, which is not in ${project}: names of files would lead to others than those that were trusted there, so it is denied`,
  'matcher-invalid': (matcher: string, why: string) =>
    `matcher ${JSON.stringify(matcher)} is not a valid pattern: ${why}`,
  'matcher-too-slow': (matcher: string, ms: number) =>
    `matcher ${JSON.stringify(matcher)} took too long (catastrophic backtracking? all matchers together have ${ms} ms), so it counts as failed and its hook does not run`,
  'matcher-newer-syntax': (matcher: string) =>
    `matcher ${JSON.stringify(matcher)} uses syntax that only newer versions of Node accept: an agent on an older one takes it otherwise`,
  'on-failure-allow': (names: string) => `--on-failure allow lets pass what would have been denied: ${names}`,
  'engine-differs': (row: string, engine: string, hookrun: string) =>
    `${row}: in the agent, ${engine}; here, ${hookrun}`,
  'engine-unknown': (name: string) =>
    `a background process of ${name} still held its output; the agent would have waited for it, so what it makes of this run is not known`,
  'output-late': (name: string) =>
    `${name} had ended, and something it left running wrote more to its output; the decision that stood there before counts`,
  'exit-2-by-shell': (name: string) =>
    `${name} ended with exit code 2, which counts as a denial, but its stderr reads as if the shell or an interpreter had failed`,
  'socket-stdio': (name: string) =>
    `${name} opened /dev/stdin, /dev/stdout or /dev/stderr by name; this agent's hooks have sockets there, and that fails (use the stream itself: cat, >&2)`,
  'timeout-killed': (name: string, ms: number) =>
    `${name} timed out after ${ms} ms and was ended with all that it had started`,
  'deadline-passed': (name: string) => `the deadline of the whole run passed, and ${name} was ended`,
  'output-limit': (name: string, mib: number) => `${name} wrote more than ${mib} MiB and was ended`,
  'env-stripped': (name: string, names: string) =>
    `${name} failed, and these variables had been kept from it: ${names} (--env inherit passes everything on)`,
  'deny-ignored': (event: string) => `a hook denies, but ${event} can't be stopped by a hook`,
  'denial-cap': (event: string, cap: number, reason: string) =>
    `${event} had been denied ${cap} times in a row in this session, so it goes through although a hook denies it once more: ${reason}`,
  'state-unusable': (why: string) => `hookrun's own state can't be kept: ${why}`,
  'glob-unused': (flag: string, glob: string) =>
    `${flag} ${JSON.stringify(glob)} fits the name of no hook of this event`,
  'not-executable': (name: string) =>
    `${name} ended with 126: a file that it starts is not executable (chmod +x, or put its interpreter before it: sh x.sh, python3 x.py)`,
  'require-match': (event: string) => `no hook matched ${event}, and --require-match is set`,
  interrupted: (signal: string) => `hookrun got ${signal} and ended the hooks that were still running`,
  bug: (message: string) => `hookrun failed unexpectedly: ${message}`,
} as const;

export const say = speaker(stageWords);

/** For a name that is no event of an agent: which was meant, or which there are. */
export function eventUnknown(place: Place, name: string, entry: FormatEntry): Problem {
  const near = nearestEvent(name, entry);
  const hint = near === undefined ? `known are ${entry.events.join(', ')}` : `did you mean ${near}?`;
  return say('event-unknown', place, name.length > 100 ? `${name.slice(0, 100)}…` : name, entry.title, hint);
}
