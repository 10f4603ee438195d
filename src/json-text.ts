/**
 * JSON as text: read and changed without parsing it into values, because a value cannot carry what hooks must get
 * to the byte: `1e400`, `12345678901234567890`, `"\u0061"`, the order of keys, keys that stand twice.
 *
 * Everything here expects text that its parser has already accepted. On other text the functions still end and
 * never throw for it, but what they return is not defined.
 */

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const STAR = 0x2a;
const COMMA = 0x2c;
const SLASH = 0x2f;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BYTE_ORDER_MARK = 0xfeff;

/** How many code units `String.fromCharCode` gets at once: well under every engine's limit on arguments. */
const CHUNK = 8192;
/** From this length on a run is taken as a slice; a shorter one is cheaper to copy than to hold as a string of its own. */
const LONG_RUN = 256;

/**
 * Returns the same JSON without a leading byte order mark and without white space outside strings; the input itself
 * if there is nothing to remove. No other byte changes. The rule is design.md's: hooks get the caller's JSON, compact.
 */
export function compact(text: string): string {
  const start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let space = nextSpace(text, start);
  if (space === text.length) return start === 0 ? text : text.slice(start);

  // Indented JSON falls apart into millions of short runs. They are gathered in one small buffer: a string for each,
  // or one string that grows, would cost many times the memory of the text.
  const parts: string[] = [];
  const buffer = new Uint16Array(CHUNK);
  let used = 0;
  const flush = () => {
    parts.push(String.fromCharCode.apply(null, buffer.subarray(0, used) as unknown as number[]));
    used = 0;
  };
  let from = start;
  while (from < text.length) {
    if (space - from >= LONG_RUN) {
      flush();
      parts.push(text.slice(from, space));
    } else {
      if (used + space - from > CHUNK) flush();
      for (let i = from; i < space; i++) buffer[used++] = text.charCodeAt(i);
    }
    from = space;
    while (isSpace(text.charCodeAt(from))) from++;
    space = nextSpace(text, from);
  }
  flush();
  return parts.join('');
}

/**
 * Returns `text` with `valueJson` as the value at `path`. Everything else stays to the byte; a compact text stays
 * compact.
 *
 * - A key that exists is replaced where it stands, EVERY time it stands there: readers disagree on which of two equal
 *   keys counts, and none may see the old value. Keys are compared after unescaping. A new key goes to the object's end.
 * - Missing objects on the way are made; anything else on the way that the path cannot enter becomes an object.
 * - In an array `0`, `1`, … address an element, the array's length appends one.
 *
 * @throws RangeError for an index beyond the array's length
 */
export function setAt(text: string, path: readonly string[], valueJson: string): string {
  const value = compact(valueJson);
  const edits: Edit[] = [];
  let targets: Target[] = [rootOf(text)];
  for (const [depth, segment] of path.entries()) {
    const inner: Target[] = [];
    for (const target of targets) {
      const place = lookUp(text, target, segment);
      if (place.kind === 'found') inner.push(...place.targets);
      else if (place.kind === 'closed')
        edits.push({ start: target.start, end: target.end, text: nested(path.slice(depth), value) });
      else if (place.kind === 'missing')
        edits.push({ start: place.at, end: place.at, text: place.lead + nested(path.slice(depth + 1), value) });
      // The array that a later key of the same name hides may be too short: there is no old value in it to be seen.
      else if (target.counts)
        throw new RangeError(`index ${segment} is beyond the end of the array, which has ${place.length} element(s)`);
    }
    targets = inner;
  }
  for (const target of targets) edits.push({ start: target.start, end: target.end, text: value });
  return applyEdits(text, edits);
}

/**
 * Returns the value at `path` as it is written in `text`, or undefined if there is none. Where a key stands twice the
 * last one counts, as for JSON.parse; in an array `0`, `1`, … address an element.
 */
export function getText(text: string, path: readonly string[]): string | undefined {
  let target = rootOf(text);
  for (const segment of path) {
    const place = lookUp(text, target, segment);
    const last = place.kind === 'found' ? place.targets.at(-1) : undefined;
    if (last === undefined) return undefined;
    target = last;
  }
  return text.slice(target.start, target.end);
}

/**
 * Returns for each path the line (counted from 1) on which its value starts, undefined where there is no such value.
 * A string addresses an object's key, a number an array's element. Comments and trailing commas may stand in the text.
 * Where a key stands twice the last one counts. The text is read once, however many paths there are.
 */
export function linesOf(text: string, paths: readonly (readonly (string | number)[])[]): (number | undefined)[] {
  const root = newWanted(undefined);
  const ends = paths.map((path) => path.reduce(wantedChild, root));
  visitWanted(text, root);
  return ends.map((end) => (isCurrent(end) ? end.line : undefined));
}

/**
 * Returns line and column of an offset into `text`, both counted from 1, the column in UTF-16 code units. Lines end
 * with LF, CR LF or CR, as editors count them. An offset outside the text means its nearest end.
 */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const end = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let lineStart = 0;
  for (let i = 0; i < end; i++) {
    if (!endsLine(text, i)) continue;
    line++;
    lineStart = i + 1;
  }
  return { line, column: end - lineStart + 1 };
}

// --- internal: setting and getting ---

/** A value's place in the text. `counts` is false below a key that a later one of the same name hides. */
interface Target {
  start: number;
  end: number;
  counts: boolean;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

type Place =
  | { kind: 'found'; targets: Target[] }
  /** Not there yet: it would go to `at`, after the text `lead`. */
  | { kind: 'missing'; at: number; lead: string }
  | { kind: 'beyond'; length: number }
  /** Neither an object nor an array with an index: the segment leads nowhere. */
  | { kind: 'closed' };

function rootOf(text: string): Target {
  const start = skipTrivia(text, 0);
  return { start, end: skipValue(text, start), counts: true };
}

function lookUp(text: string, target: Target, segment: string): Place {
  const opening = text.charCodeAt(target.start);
  if (opening === OPEN_BRACE) return lookUpKey(text, target, segment);
  if (opening === OPEN_BRACKET && /^(?:0|[1-9][0-9]*)$/.test(segment)) return lookUpIndex(text, target, segment);
  return { kind: 'closed' };
}

function lookUpKey(text: string, object: Target, key: string): Place {
  const targets: Target[] = [];
  let lastEnd: number | undefined;
  let at = skipTrivia(text, object.start + 1);
  while (at < object.end - 1) {
    const keyEnd = stringEnd(text, at);
    const start = skipTrivia(text, skipTrivia(text, keyEnd) + 1);
    const end = skipValue(text, start);
    if (isKey(text, at, keyEnd, key)) targets.push({ start, end, counts: false });
    lastEnd = end;
    at = afterComma(text, end);
  }
  const last = targets.at(-1);
  if (last !== undefined) {
    last.counts = object.counts;
    return { kind: 'found', targets };
  }
  const name = `${JSON.stringify(key)}:`;
  return lastEnd === undefined
    ? { kind: 'missing', at: object.start + 1, lead: name }
    : { kind: 'missing', at: lastEnd, lead: `,${name}` };
}

function lookUpIndex(text: string, array: Target, segment: string): Place {
  const index = Number(segment);
  let length = 0;
  let lastEnd: number | undefined;
  let start = skipTrivia(text, array.start + 1);
  while (start < array.end - 1) {
    const end = skipValue(text, start);
    if (length === index) return { kind: 'found', targets: [{ start, end, counts: array.counts }] };
    length++;
    lastEnd = end;
    start = afterComma(text, end);
  }
  if (index > length) return { kind: 'beyond', length };
  return lastEnd === undefined
    ? { kind: 'missing', at: array.start + 1, lead: '' }
    : { kind: 'missing', at: lastEnd, lead: ',' };
}

function isKey(text: string, start: number, end: number, key: string): boolean {
  if (end - start - 2 === key.length && text.startsWith(key, start + 1)) return !key.includes('\\');
  return unescaped(text.slice(start, end)) === key;
}

/** The string that a quoted piece of JSON stands for; one that no JSON parser takes is read as it is written. */
function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted.slice(1, -1);
  }
}

function nested(path: readonly string[], value: string): string {
  return path.map((key) => `{${JSON.stringify(key)}:`).join('') + value + '}'.repeat(path.length);
}

function applyEdits(text: string, edits: Edit[]): string {
  // They come level by level, and no two overlap: each ended its own branch of the path.
  edits.sort((a, b) => a.start - b.start);
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

// --- internal: lines ---

/** A value whose line somebody wants, or the way to one. Together they are a tree of all paths. */
interface Wanted {
  readonly parent: Wanted | undefined;
  children: Map<string | number, Wanted> | undefined;
  line: number;
  /** Which visit this was, and which visit of the parent it belongs to: 0 for none. */
  visit: number;
  parentVisit: number;
}

function newWanted(parent: Wanted | undefined): Wanted {
  return { parent, children: undefined, line: 0, visit: 0, parentVisit: 0 };
}

function wantedChild(parent: Wanted, segment: string | number): Wanted {
  parent.children ??= new Map();
  let child = parent.children.get(segment);
  if (child === undefined) {
    child = newWanted(parent);
    parent.children.set(segment, child);
  }
  return child;
}

/**
 * Whether what was found still holds. A second key of the same name makes everything found below the first one stale;
 * numbering the visits spares wiping that part of the tree each time, which repeated keys would make quadratic.
 */
function isCurrent(wanted: Wanted): boolean {
  let node = wanted;
  while (node.visit > 0) {
    if (node.parent === undefined) return true;
    if (node.parentVisit !== node.parent.visit) return false;
    node = node.parent;
  }
  return false;
}

/** Goes through the text, entering only objects and arrays on the way to something wanted, so its stack is no deeper than a path. */
function visitWanted(text: string, root: Wanted): void {
  let visits = 0;
  let line = 1;
  let counted = 0;
  const arrive = (wanted: Wanted, offset: number) => {
    for (; counted < offset; counted++) if (endsLine(text, counted)) line++;
    wanted.line = line;
    wanted.visit = ++visits;
    wanted.parentVisit = wanted.parent?.visit ?? 0;
  };

  const stack: { wanted: Wanted; index: number | undefined }[] = [];
  let at = skipTrivia(text, 0);
  /** Deals with the value at `at`: steps over it, or into it. */
  const take = (wanted: Wanted | undefined) => {
    if (wanted !== undefined) arrive(wanted, at);
    const opening = text.charCodeAt(at);
    if (wanted?.children === undefined || (opening !== OPEN_BRACE && opening !== OPEN_BRACKET)) {
      at = afterComma(text, skipValue(text, at));
      return;
    }
    stack.push({ wanted, index: opening === OPEN_BRACKET ? 0 : undefined });
    at = skipTrivia(text, at + 1);
  };

  take(root);
  for (let inside = stack.at(-1); inside !== undefined && at < text.length; inside = stack.at(-1)) {
    const code = text.charCodeAt(at);
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      stack.pop();
      at = afterComma(text, at + 1);
    } else if (inside.index !== undefined) {
      take(inside.wanted.children?.get(inside.index++));
    } else {
      const keyEnd = skipValue(text, at);
      const key = unescaped(text.slice(at, keyEnd));
      at = skipTrivia(text, keyEnd);
      if (text.charCodeAt(at) === COLON) at = skipTrivia(text, at + 1);
      take(inside.wanted.children?.get(key));
    }
  }
}

// --- internal: scanning; each returns the offset it stopped at ---

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === CARRIAGE_RETURN || code === TAB;
}

/** The CR of a CR LF does not end the line, its LF does. */
function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
}

/** The next white space outside strings, from an offset that is outside strings. */
function nextSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (isSpace(code)) return at;
    else at++;
  }
  return text.length;
}

/** Behind white space, comments and byte order marks. Valid JSON has no `/` outside strings, so this serves it as well. */
function skipTrivia(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === BYTE_ORDER_MARK) at++;
    else if (code === SLASH && commentEnd(text, at) > at) at = commentEnd(text, at);
    else break;
  }
  return at;
}

/** Behind the comment that starts here; `from` itself if none does. */
function commentEnd(text: string, from: number): number {
  const next = text.charCodeAt(from + 1);
  if (next === STAR) {
    const end = text.indexOf('*/', from + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (next !== SLASH) return from;
  let at = from + 2;
  while (at < text.length && text.charCodeAt(at) !== LINE_FEED && text.charCodeAt(at) !== CARRIAGE_RETURN) at++;
  return at;
}

function afterComma(text: string, from: number): number {
  const at = skipTrivia(text, from);
  return text.charCodeAt(at) === COMMA ? skipTrivia(text, at + 1) : at;
}

/** Behind the string whose opening quote stands at `from`. */
function stringEnd(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1);
  while (quote >= 0) {
    let before = quote - 1;
    while (before > from && text.charCodeAt(before) === BACKSLASH) before--;
    // Backslashes pair up; an odd one is left over only if the quote is escaped.
    if ((quote - before) % 2 === 1) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

/** Behind the value that starts at `from`; always further on than `from`, so that no text can make a caller stand still. */
function skipValue(text: string, from: number): number {
  const opening = text.charCodeAt(from);
  if (opening === QUOTE) return stringEnd(text, from);
  if (opening !== OPEN_BRACE && opening !== OPEN_BRACKET) {
    let at = from + 1;
    while (at < text.length && !endsScalar(text.charCodeAt(at))) at++;
    return at;
  }
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (code === SLASH) {
      at = Math.max(commentEnd(text, at), at + 1);
      continue;
    }
    at++;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --depth === 0) return at;
  }
  return text.length;
}

function endsScalar(code: number): boolean {
  return (
    isSpace(code) ||
    code === COMMA ||
    code === COLON ||
    code === CLOSE_BRACE ||
    code === CLOSE_BRACKET ||
    code === SLASH ||
    code === QUOTE
  );
}
