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
  collect(marked, words, 0);
  const plainWords = new Set(shellWords(withoutWritten(marked)));
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
 * redirection from an arrow of JavaScript; `tee` is the command only where one begins, and may be a script's name elsewhere.
 */
const target = /(?:"[^"]*"|'[^']*'|[^\s;&|()<>"'`]+)+/.source;
const redirection = /(?:\d|&)?>>?\|?\s*/.source;
const tee = /tee\s+(?:-a\s+|--append\s+)?/.source;
const writtenHere = new RegExp(`${redirection}${target}`, 'y');
const teeHere = new RegExp(`${tee}${target}`, 'y');
/** Wherever it stands, in quotes too. */
const writtenAnywhere = new RegExp(
  `(^|[\\s;&|(){}'"])${redirection}${target}|(^|[|;&(\\n"'])[ \\t]*${tee}${target}`,
  'g',
);

/** A command without the files that it writes to. What stands in quotes is left as it is: `sh ">x"` is no redirection. */
function withoutWritten(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at]!;
    if (quote !== '') {
      if (c === '\\' && quote === '"') at += 1;
      else if (c === quote) quote = '';
      continue;
    }
    const length = writtenAt(text, at);
    if (length > 0) {
      kept.push(text.slice(from, at), ' ');
      from = at + length;
      at = from - 1;
    } else if (c === '\\') at += 1;
    else if (c === '"' || c === "'") quote = c;
  }
  return kept.join('') + text.slice(from);
}

function writtenAt(text: string, at: number): number {
  const pattern = text[at] === 't' ? teeHere : writtenHere;
  if (pattern === teeHere ? !beginsCommand(text, at) : at > 0 && !/[\s;&|(){}'"]/.test(text[at - 1]!)) return 0;
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function beginsCommand(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before -= 1;
  return before < 0 || ('|;&(\n'.includes(text[before]!) && text[before - 1] !== '\\');
}

const escaped = (text: string): string => text.replace(/[^\w]/g, '\\$&');

function collect(text: string, words: Set<string>, depth: number): void {
  for (const word of shellWords(withoutWritten(text))) {
    if (words.has(word)) continue;
    const read = withoutWritten(word);
    addWord(read, words);
    // As a name it may hold a `>`, but then a variable stands at its beginning or nowhere.
    if (read !== word && word.lastIndexOf(opening) <= 0) words.add(word);
    // What stood in quotes may be a script of its own.
    if (depth < deepest && /[\s"'`;&|()<>$\\]/.test(word)) collect(word, words, depth + 1);
  }
  for (const word of text.replace(writtenAnywhere, '$1$2 ').split(/[\s"'`;&|()<>{}\\]+/)) addWord(word, words);
}

/** The most letters of short options that a value may be attached to: `sed -nfx`. */
const mostLetters = 6;
/** The most folders that are tried as the way to the project: `~/work/app/hooks/x.sh`. */
const mostParents = 20;

/** A word and its parts: `--rcfile=x`, `A=x`, `@x`, `a:x`, `-fx`, `$(…)/x`, `$UNKNOWN/x`, `~/x`. */
function addWord(word: string, words: Set<string>): void {
  if (word === '' || word.length > 4096) return;
  for (const part of [word, ...word.split(/[=:,@]/)]) {
    if (part === '') continue;
    words.add(part);
    const letters = /^-[A-Za-z0-9]+/.exec(part)?.[0].length ?? 0;
    for (let at = 2; at <= Math.min(letters, mostLetters + 1); at += 1) if (at < part.length) words.add(part.slice(at));
    // Behind something that only the shell knows, the rest may still be a path from the project's top, or lead to the project first.
    const rest = /(?:\$\w+|[})`]|^~[\w+-]*)(\/[^$`(){}]+)$/.exec(part)?.[1];
    if (rest === undefined) continue;
    words.add(rest);
    const names = rest.split('/').filter(Boolean);
    for (let from = 1; from < Math.min(names.length, mostParents); from += 1) words.add(names.slice(from).join('/'));
  }
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
