import { breaksPastedRaw, type Place, quotings, substitute } from '../../shell-text.ts';

/** The variables that Gemini CLI replaces in the text of every hook's command (Gemini rule 56). */
export type CommandVariable =
  | 'GEMINI_PROJECT_DIR'
  | 'GEMINI_CWD'
  | 'GEMINI_PLANS_DIR'
  | 'GEMINI_SESSION_ID'
  | 'CLAUDE_PROJECT_DIR';

/** Something about a variable in a command that its author should know. */
export interface CommandNote {
  /**
   * engine-would-break: works here, not in Gemini CLI. longer-name: `$GEMINI_CWD_X` is the value and `_X`, not a variable
   * of that name. unreachable: no safe form exists at that place, so the value is not there.
   */
  readonly kind: 'engine-would-break' | 'longer-name' | 'unreachable';
  readonly variable: string;
  /** A sentence for people. */
  readonly text: string;
}

/** A command for `bash -c`. */
export interface StartCommand {
  readonly command: string;
  /** What the command refers to; to be put into the hook's environment last, above everything else. */
  readonly env: Readonly<Record<string, string>>;
  /** In the order of the command, none twice. */
  readonly notes: readonly CommandNote[];
}

/**
 * The text that `bash -c` is given for a hook of any source: `$GEMINI_PROJECT_DIR` and the four others replaced by the
 * payload's values, as in Gemini CLI without a word boundary and inside quotes too (Gemini rule 56), but never as code.
 * A value that cannot be pasted is reached through a variable of hookrun's own: the hook's `env` may override
 * GEMINI_CWD itself, and `$GEMINI_CWD` in the command has to be the payload's even then (Gemini rule 57).
 *
 * Gemini rule 54 (`$VAR` of the surrounding environment) is not applied: the shell does that, from its environment.
 */
export function startCommand(command: string, values: Readonly<Record<CommandVariable, string>>): StartCommand {
  const { places, ...start } = substitute(command, values, { style: 'dollar' });
  const notes = places.flatMap((place) => {
    const value = values[place.name as CommandVariable];
    const written = `$${place.name}`;
    const found: CommandNote[] = notesOn(place, written);
    if (found.length === 0 && breaksPastedQuoted(place, value)) {
      const text = `${written} stands ${quotings[place.quoting]} and its value needs quotes: this works here and fails in Gemini CLI; \${${place.name}} in double quotes works in both`;
      found.push({ kind: 'engine-would-break', variable: place.name, text });
    }
    if (/^\w/.test(place.after) && place.quoting !== 'comment' && place.quoting !== 'fixed') {
      const text = `${written} is followed by "${place.after}": Gemini CLI replaces the beginning of a longer name, so this is the value and the rest as text; to name a variable whose name only begins like it, write \${…}`;
      found.push({ kind: 'longer-name', variable: place.name, text });
    }
    return found;
  });
  return { ...start, notes: unique(notes) };
}

/**
 * An extension hook's command with `${extensionPath}`, `${workspacePath}`, `${/}`, `${pathSeparator}` and the
 * extension's own settings replaced (Gemini rule 55); `values` has them under the names between the braces. To be
 * followed by `startCommand` on its result: both environments are then needed.
 */
export function extensionCommand(command: string, values: Readonly<Record<string, string>>): StartCommand {
  const { places, ...start } = substitute(command, values, { style: 'braces' });
  const notes = places.flatMap((place) => {
    const written = `\${${place.name}}`;
    const found: CommandNote[] = notesOn(place, written);
    if (found.length === 0 && breaksPastedRaw(place, values[place.name]!)) {
      const text = `${written} stands ${quotings[place.quoting]} and its value has special characters: Gemini CLI pastes it without quoting, so this works here and fails there`;
      found.push({ kind: 'engine-would-break', variable: place.name, text });
    }
    return found;
  });
  return { ...start, notes: unique(notes) };
}

function notesOn(place: Place, written: string): CommandNote[] {
  if (place.as === 'refused') {
    const text = `${written} stands ${quotings[place.quoting]}, where its value could run as code: the hook ends with an error`;
    return [{ kind: 'unreachable', variable: place.name, text }];
  }
  if (place.as === 'left' && place.quoting !== 'comment') {
    const text = `${written} stands ${quotings[place.quoting]}, where its value has no safe form: the text is left as written`;
    return [{ kind: 'unreachable', variable: place.name, text }];
  }
  return [];
}

/**
 * Whether Gemini CLI's own quoting of the value would have come out as something else than the value at that place. It
 * puts quotes around a value with white space, quotes or backslashes, and backslashes before other special characters:
 * right where nothing is quoted, and text like any other inside quotes.
 */
function breaksPastedQuoted({ quoting, before, inScript }: Place, value: string): boolean {
  const wrapped = /["'\\\s]/.test(value);
  if (!wrapped && !/[#!$&()*,:;<=>?@[\]^`{|}]/.test(value)) return false;
  switch (quoting) {
    case 'bare':
      return before !== '' || inScript;
    case 'double':
    case 'heredoc':
      // In double quotes a backslash before a dollar or a backtick is taken away again; before the others it stays.
      return before !== '' || inScript || wrapped || /[#!&()*,:;<=>?@[\]^{|}]/.test(value);
    case 'comment':
      return value.includes('\n');
    case 'fixed':
      return false;
    default:
      return true;
  }
}

function unique(notes: readonly CommandNote[]): CommandNote[] {
  return [...new Map(notes.map((note) => [`${note.kind} ${note.variable} ${note.text}`, note])).values()];
}
