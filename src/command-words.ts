/**
 * The words of a shell command that may name a file. Pure, and generous on purpose: a word too many costs a look at the disk, a word too
 * few would leave a script out of the fingerprint. So this is no parser: each text is taken apart in several ways, and all of them count.
 */

/** How deep scripts inside of quotes are followed: `bash -c 'sh -c "…"'`. */
const deepest = 4;

/** Marks around the number of a folder that a variable stands for; what it says may hold spaces and quotes. */
const [opening, closing] = ['\uE000', '\uE001'];

/** A word, with the folder that it begins in where a variable says so. */
export interface Word {
  readonly folder: string | undefined;
  readonly text: string;
  /** It stands in the command as a word of its own, quotes aside; the others are guesses. */
  readonly isPlain: boolean;
}

/** @param folders what variables in the text stand for, by name. */
export function wordsOf(text: string, folders: Readonly<Record<string, string>>): Word[] {
  const names = Object.keys(folders).sort((a, b) => b.length - a.length);
  const known =
    names.length === 0
      ? undefined
      : new RegExp(
          `\\$\\{(?:${names.map(escaped).join('|')})(?::?[-=+?][^}]*)?\\}|\\$(?:${names.map(escaped).join('|')})`,
          'g',
        );
  const marked =
    known === undefined
      ? text
      : text.replace(known, (found) => {
          const name = names.find((one) => found.startsWith(`$${one}`) || found.startsWith(`\${${one}`))!;
          return `${opening}${names.indexOf(name)}${closing}`;
        });
  const words = new Set<string>();
  const rest = marked.replace(written, '$1 ');
  collect(rest, words, 0);
  const plainWords = new Set(shellWords(rest));
  const read = [...words].flatMap((word): Word[] => {
    const at = word.lastIndexOf(opening);
    if (at === -1) return [{ folder: undefined, text: word, isPlain: plainWords.has(word) }];
    const end = word.indexOf(closing, at);
    const name = names[Number(word.slice(at + 1, end === -1 ? at + 1 : end))];
    return name === undefined
      ? []
      : [{ folder: folders[name]!, text: word.slice(end + 1), isPlain: plainWords.has(word) }];
  });
  return read.filter((word) => word.text !== '' || word.folder !== undefined);
}

/**
 * A file that is only written to, a log for example, is no script, and would change with every run. What comes before the `>` tells a
 * redirection from an arrow of JavaScript.
 */
const written =
  /(^|[\s;&|(){}'"])(?:(?:\d|&)?>>?\|?\s*|tee\s+(?:-a\s+|--append\s+)?)(?:"[^"]*"|'[^']*'|[^\s;&|()<>"'`]+)+/g;

const escaped = (text: string): string => text.replace(/[^\w]/g, '\\$&');

function collect(text: string, words: Set<string>, depth: number): void {
  for (const word of shellWords(text)) {
    if (words.has(word)) continue;
    addWord(word, words);
    // What stood in quotes may be a script of its own.
    if (depth < deepest && /[\s"'`;&|()<>$\\]/.test(word)) collect(word, words, depth + 1);
  }
  for (const word of text.split(/[\s"'`;&|()<>{}\\]+/)) addWord(word, words);
}

/** A word and its parts: `--rcfile=x`, `A=x`, `@x`, `a:x`, `$(…)/x`, `$UNKNOWN/x`. */
function addWord(word: string, words: Set<string>): void {
  if (word === '' || word.length > 4096) return;
  words.add(word);
  for (const part of word.split(/[=:,@]/)) if (part !== '') words.add(part);
  // Behind something that only the shell knows, the rest may still be a path from the project's top.
  const rest = /(?:\$\w+|[})`])(\/[^$`(){}]+)$/.exec(word)?.[1];
  if (rest !== undefined) words.add(rest);
}

/** Words as a shell would split them, with quotes taken away and joined pieces joined: `hooks/"my file".sh`. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at]!;
    if (quote === "'") {
      if (c === "'") quote = '';
      else word += c;
    } else if (c === '\\' && at + 1 < text.length) {
      at += 1;
      // In double quotes a backslash before an ordinary character stays; both readings lead to the same file or to none.
      if (text[at] !== '\n') word = (word ?? '') + text[at];
    } else if (quote === '"') {
      if (c === '"') quote = '';
      else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= '';
    } else if (/[\s;&|()<>]/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + c;
  }
  if (word !== undefined) words.push(word);
  return words;
}
