/**
 * Patterns that can be answered without Rust's regex engine, whose 12 ms to load are most of what a run costs: alternatives made of
 * literal ASCII, `^` at the beginning, `$` at the end, `.*`, and groups of such alternatives. A property test holds the answers against the
 * engine itself.
 */

/** One way to match: the texts that must follow each other on one line, with anything in between. */
interface Alternative {
  readonly fromStart: boolean;
  readonly toEnd: boolean;
  readonly texts: readonly string[];
}

export type PlainPattern = readonly Alternative[];

/** Longer patterns, and those with more alternatives, are left to the engine. */
const longest = 1000;
const most = 64;

/** The alternatives of a plain pattern; undefined for any other, which may still be valid. */
export function parsePlain(pattern: string): PlainPattern | undefined {
  if (pattern.length > longest) return undefined;
  const parser = new Parser(pattern);
  const paths = parser.alternatives(0);
  if (paths === undefined || !parser.atEnd) return undefined;
  const alternatives = paths.map(asAlternative);
  return alternatives.includes(undefined) ? undefined : (alternatives as Alternative[]);
}

/**
 * Whether any alternative is found in the target. Rust's `.` excludes the line feed alone, and `^` and `$` are the very ends of the text (goose
 * corner 25). Takes time linear in the target for each alternative.
 */
export function matchesPlain(alternatives: PlainPattern, target: string): boolean {
  return alternatives.some((alternative) => {
    // Without `.*` there is nothing that a line's end could stop, and a literal holds none.
    const lines = alternative.texts.length > 1 ? target.split('\n') : [target];
    return lines.some((line, index) => {
      const first = !alternative.fromStart || index === 0;
      const last = !alternative.toEnd || index === lines.length - 1;
      return first && last && onLine(alternative, line);
    });
  });
}

function onLine({ fromStart, toEnd, texts }: Alternative, line: string): boolean {
  const head = texts[0]!;
  if (texts.length === 1) {
    if (fromStart && toEnd) return line === head;
    if (fromStart) return line.startsWith(head);
    return toEnd ? line.endsWith(head) : line.includes(head);
  }
  const tail = texts.at(-1)!;
  let at = fromStart ? (line.startsWith(head) ? 0 : -1) : line.indexOf(head);
  if (at === -1) return false;
  at += head.length;
  for (const text of texts.slice(1, -1)) {
    at = line.indexOf(text, at);
    if (at === -1) return false;
    at += text.length;
  }
  return toEnd ? line.length - tail.length >= at && line.endsWith(tail) : line.indexOf(tail, at) !== -1;
}

// --- internal ---

type Step = 'start' | 'end' | 'anything' | { readonly text: string };
type Path = readonly Step[];

/** Characters that mean themselves in Rust's syntax and in no JavaScript string cause trouble. */
const literal = /^[A-Za-z0-9 _\-/:;,@%&=!"'`~#<>]$/;
const escaped = /^[.\\/\-()[\]{}+*?|^$]$/;

class Parser {
  readonly #pattern: string;
  #at = 0;
  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get atEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  /** All paths through `a|b|c`, up to a closing bracket or the end; undefined where something is not plain. */
  alternatives(depth: number): Path[] | undefined {
    const paths: Path[] = [];
    for (;;) {
      const branch = this.#sequence(depth);
      if (branch === undefined) return undefined;
      paths.push(...branch);
      if (paths.length > most) return undefined;
      if (this.#pattern[this.#at] !== '|') return paths;
      this.#at += 1;
    }
  }

  #sequence(depth: number): Path[] | undefined {
    let paths: Path[] = [[]];
    while (!this.atEnd && !'|)'.includes(this.#pattern[this.#at]!)) {
      const next = this.#item(depth);
      // A quantifier on what was just read makes the pattern one for the engine.
      if (next === undefined || '*+?{'.includes(this.#pattern[this.#at] ?? 'x')) return undefined;
      if (paths.length * next.length > most) return undefined;
      paths = paths.flatMap((path) => next.map((more) => [...path, ...more]));
    }
    return paths;
  }

  #item(depth: number): Path[] | undefined {
    const char = this.#pattern[this.#at]!;
    this.#at += 1;
    if (char === '^') return [['start']];
    if (char === '$') return [['end']];
    if (char === '.') return this.#take('*') ? [['anything']] : undefined;
    if (char === '\\') {
      const next = this.#pattern[this.#at] ?? '';
      this.#at += 1;
      return escaped.test(next) ? [[{ text: next }]] : undefined;
    }
    if (char === '(') {
      if (depth > 8 || (this.#pattern[this.#at] === '?' && !this.#take('?:'))) return undefined;
      const inner = this.alternatives(depth + 1);
      return inner !== undefined && this.#take(')') ? inner : undefined;
    }
    return literal.test(char) ? [[{ text: char }]] : undefined;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

/** Anchors count only at the ends of a path; anywhere else they make the pattern one for the engine. */
function asAlternative(path: Path): Alternative | undefined {
  const fromStart = path[0] === 'start';
  const toEnd = path.length > (fromStart ? 1 : 0) && path.at(-1) === 'end';
  const texts = [''];
  for (const step of path.slice(fromStart ? 1 : 0, toEnd ? -1 : path.length)) {
    if (step === 'start' || step === 'end') return undefined;
    if (step === 'anything') texts.push('');
    else texts[texts.length - 1] += step.text;
  }
  return { fromStart, toEnd, texts };
}
