/**
 * Putting values into the text of a shell command so that they stay values.
 *
 * Agents paste a path into a hook's command as text, and a folder called `x; rm -rf ~` then runs as code. Here a value
 * without any special character is pasted too, and any other stays a reference to an environment variable of hookrun's
 * own, quoted for the place where it stands (design: "Values never become shell code").
 *
 * To find the right quotes, the command is read the way bash reads it. That reading need not be perfect for safety: what
 * is written into the command is one of a few fixed texts and never the value, so a place read wrongly may split a value
 * into words, but cannot run it.
 */

/** The quoting that a place of a command stands in, as the shell that reads the place sees it. */
export type Quoting =
  | 'bare'
  | 'double'
  | 'single'
  | 'ansi' // $'…'
  | 'heredoc'
  | 'literal-heredoc' // <<'EOF'
  | 'arithmetic'
  | 'comment'
  | 'fixed' // the delimiter of a here-document
  | 'unfollowed'; // a script that is put together from pieces, or nested too deep

/** Where such a place is, in words. */
export const quotings: Readonly<Record<Quoting, string>> = {
  bare: 'without quotes',
  double: 'inside double quotes',
  single: 'inside single quotes',
  ansi: "inside $'…'",
  heredoc: 'in a here-document',
  'literal-heredoc': 'in a here-document with a quoted delimiter',
  arithmetic: 'in arithmetic',
  comment: 'in a comment',
  fixed: 'in the delimiter of a here-document',
  unfollowed: 'in a script for another shell that is put together from pieces',
};

/** One variable in a command, and what became of it. */
export interface Place {
  readonly name: string;
  readonly quoting: Quoting;
  /** What stands right before it and would change its meaning for the shell. */
  readonly before: '' | '\\' | '$';
  /** The character after it, '' at the end. */
  readonly after: string;
  /** It stands in the text of a script for another shell: `bash -c '…'`, `eval "…"`, `sh <<EOF`. */
  readonly inScript: boolean;
  /** text: the value was pasted; reference: a variable stands for it; refused: the shell will fail; left: as written. */
  readonly as: 'text' | 'reference' | 'refused' | 'left';
}

/** A command that a shell can be given, with the variables that it then needs in its environment. */
export interface Substitution {
  readonly command: string;
  /** To be put into the hook's environment last, above everything else. Empty when every value could be pasted. */
  readonly env: Readonly<Record<string, string>>;
  /** In the order of the command. */
  readonly places: readonly Place[];
}

/**
 * The command with variables replaced: `$NAME` without a word boundary for style 'dollar' (so `$NAME_X` is the value and
 * `_X`), `${NAME}` for style 'braces'. Replaced wherever they stand, inside single quotes, after a backslash and after
 * another `$` as well, because the engines replace text.
 *
 * `values` has a value for every name. For bash and for a POSIX sh. Never throws; takes time linear in the command.
 */
export function substitute(
  command: string,
  values: Readonly<Record<string, string>>,
  { style }: { readonly style: 'dollar' | 'braces' },
): Substitution {
  if (!command.includes('$')) return { command, env: {}, places: [] };
  const pattern = patternOf(Object.keys(values), style);
  if (pattern === undefined || command.search(pattern) === -1) return { command, env: {}, places: [] };

  const variables = new Map<string, string>();
  const env: Record<string, string> = {};
  const places: Place[] = [];
  let text = '';
  let copied = 0;
  let refused: string | undefined;
  for (const spot of findSpots(command, pattern, 0).sort((a, b) => a.start - b.start)) {
    const { name, quoting, before, after } = spot;
    const value = values[name]!;
    const as = treatmentOf(spot, value);
    places.push({ name, quoting, before, after, inScript: spot.layers.length > 0 || quoting === 'unfollowed', as });
    if (as === 'left') continue;
    if (as === 'refused' && quoting === 'unfollowed') refused ??= name;
    let replacement = before + value;
    if (as === 'refused') replacement = refusal(name, env);
    else if (as === 'reference') replacement = reference(spot, variableFor(name, value, variables, env));
    for (const layer of spot.layers) replacement = replacement.replace(LAYERS[layer], '\\$&');
    text += command.slice(copied, spot.start) + replacement;
    copied = spot.end;
  }
  if (refused !== undefined) return { command: refusedCommand(refused), env: {}, places };
  return { command: text + command.slice(copied), env, places };
}

/**
 * Whether pasting the value as it is, without any quoting, would have given the shell something else than the value:
 * what goose does with `${PLUGIN_ROOT}` and Gemini CLI with `${extensionPath}`.
 */
export function breaksPastedRaw(place: Place, value: string): boolean {
  if (place.quoting === 'fixed') return false;
  if (place.quoting === 'comment') return value.includes('\n');
  if (PLAIN.test(value)) return false;
  if (place.inScript || place.before !== '') return true;
  switch (place.quoting) {
    case 'bare':
      return !/^[\w/.+%:@=,\u0080-\uffff-]*$/.test(value) || /\s/.test(value);
    case 'double':
      return /[\\"$`]/.test(value);
    case 'heredoc':
      return /[\\$`]/.test(value);
    case 'single':
      return value.includes("'");
    case 'ansi':
      return /['\\]/.test(value);
    case 'literal-heredoc':
      return false;
    case 'arithmetic':
    case 'unfollowed':
      return true;
  }
}

/** Characters that mean themselves to a shell in every quoting. `~`, `=`, `:` and `,` do not: `a=~`, `{a,b}`. */
const PLAIN = /^[\w/.+%-]*$/;

/** Prefix of hookrun's own variables. Not just HOOKRUN_, which a setting called TRUST would turn into a switch. */
const PREFIX = 'HOOKRUN_VALUE_';

/** A variable that is always empty: `${…:?message}` on it is a shell's own way to stop with a message. */
const REFUSED = 'HOOKRUN_VALUE_REFUSED_';

/** Scripts within scripts are followed this deep; each level is read once more, and nobody nests so many. */
const DEEPEST_SCRIPT = 6;

function patternOf(names: readonly string[], style: 'dollar' | 'braces'): RegExp | undefined {
  if (names.length === 0) return undefined;
  // Longest first: of `$A` and `$AB` the longer one is meant.
  const sorted = [...names].sort((a, b) => b.length - a.length).map((name) => name.replace(/[^\w]/g, '\\$&'));
  const any = `(${sorted.join('|')})`;
  return new RegExp(style === 'dollar' ? `\\$${any}` : `\\$\\{${any}\\}`, 'g');
}

function treatmentOf({ quoting, before, after, afterName }: Spot, value: string): Place['as'] {
  if (quoting === 'fixed') return 'left';
  if (!PLAIN.test(value)) {
    // A shell runs a substitution that it finds in a number: `a[$(touch x)]` is code in $(( )), even from a variable.
    if (quoting === 'arithmetic' || quoting === 'unfollowed') return 'refused';
    return quoting === 'comment' || quoting === 'literal-heredoc' ? 'left' : 'reference';
  }
  if (before === '\\' && (value === '' || quoting === 'ansi')) return 'reference';
  if (before === '$' && !value.startsWith('/')) return 'reference';
  if (afterName && quoting !== 'single' && /^\w/.test(value)) return 'reference';
  // Harmless letters still can have a meaning where no quotes are: a reserved word, the 2 of `2>x`, the name in `x=1`.
  if (quoting === 'bare' && value !== '' && !value.includes('/')) {
    if (/^[a-z]+$/.test(value) || /^[<>=+[({]/.test(after)) return 'reference';
  }
  return 'text';
}

function variableFor(name: string, value: string, variables: Map<string, string>, env: Record<string, string>): string {
  const known = variables.get(name);
  if (known !== undefined) return known;
  const wanted = PREFIX + name.replace(/\W/g, '_');
  let variable = wanted;
  for (let count = 2; Object.hasOwn(env, variable); count++) variable = `${wanted}_${count}`;
  variables.set(name, variable);
  env[variable] = value;
  return variable;
}

function reference({ quoting, before, restIsPlain }: Spot, variable: string): string {
  const value = `\${${variable}}`;
  const dollar = before === '$' ? '\\$' : '';
  switch (quoting) {
    case 'double':
    case 'heredoc':
      return (before === '\\' ? '\\\\' : dollar) + value;
    case 'single':
      return `'"${value}"'`;
    case 'ansi':
      // A plain quote to go on with where that is enough: dash does not know $'…'.
      return `${before === '\\' ? '\\\\' : before}'"${value}"${restIsPlain ? '' : '$'}'`;
    default:
      // The backslash goes: it would escape the quote. `$"` is a translated string in bash, hence `\$"`.
      return `${dollar}"${value}"`;
  }
}

function refusal(name: string, env: Record<string, string>): string {
  env[REFUSED] = '';
  return `\${${REFUSED}:?hookrun: the value of ${name.replace(/\W/g, '_')} is no number, so it must not stand in arithmetic}`;
}

/** Where nothing written into the command would be safe, the hook must not run: 126 is "cannot be executed". */
function refusedCommand(name: string): string {
  const variable = name.replace(/\W/g, '_');
  return `echo 'hookrun: the value of ${variable} could run as code in this command: a script put together from pieces' >&2; exit 126`;
}

/** Inside of these a replacement has to be escaped once more, to come out right in the script that the shell builds. */
const LAYERS = { double: /[\\"$`]/g, heredoc: /[\\$`]/g, bare: /[^\w/.+%-]/g, verbatim: /(?!)/g };
type Layer = keyof typeof LAYERS;

/** A variable found in the text; `start` and `end` take in what stands right before it, if that matters. */
interface Spot {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly quoting: Quoting;
  readonly before: Place['before'];
  readonly after: string;
  /** Within $'…': nothing is escaped in the rest of it. */
  readonly restIsPlain: boolean;
  /** It follows the name of another variable, which a pasted letter or digit would make longer. */
  readonly afterName: boolean;
  /** From the inside to the outside. */
  readonly layers: readonly Layer[];
}

/** The words of a simple command so far, as much as matters: where a script begins and where a `case` stands. */
interface Commands {
  readonly kind: 'commands';
  /** What ends it; '' for the whole text. */
  readonly closer: ')' | '`' | '';
  /** Backticks inside double quotes: `\"` is a quote in there. */
  readonly quoted: boolean;
  wordStart: number;
  started: boolean;
  lastWord: string;
  shell: 'none' | 'options' | 'operands';
  evaluates: boolean;
  /** The next word is what `bash <<<` reads. */
  hereString: boolean;
  /** The word that is being read is a script. */
  inScript: boolean;
  /** The words of an `eval` so far name another shell: what follows may be a script for that one. */
  nested: boolean;
  openCases: number;
}
interface Double {
  readonly kind: 'double';
  readonly escaped: boolean;
  readonly script: Script | undefined;
  readonly unfollowed: boolean;
}
interface Parameter {
  readonly kind: 'parameter';
  readonly quoted: boolean;
  /** Quotes count in it: in a pattern they do even inside double quotes, where its `*` would else match anything. */
  readonly patterns: boolean;
  readonly arithmetic: boolean;
  readonly unfollowed: boolean;
}
interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly closer: '))' | ']';
  depth: number;
}
interface Heredoc {
  readonly kind: 'heredoc';
  readonly end: number;
  readonly resume: number;
  readonly literal: boolean;
  readonly script: Script | undefined;
}
type Frame = Commands | Double | Parameter | Arithmetic | Heredoc;

/** A stretch that another shell will read; what the outer shell expands in it is opaque. */
interface Script {
  readonly start: number;
  readonly opaque: [start: number, end: number][];
  open: number;
}

interface PendingHeredoc {
  readonly delimiter: string;
  readonly literal: boolean;
  readonly stripTabs: boolean;
  readonly script: boolean;
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh']);
const PREFIX_WORDS: ReadonlySet<string> = new Set(
  'if then else elif do while until { } ! time fi done command builtin'.split(' '),
);

/** Reads the text once, from left to right, with a stack of what is open. `level` counts scripts within scripts. */
function findSpots(text: string, pattern: RegExp, level: number): Spot[] {
  const matches = new Map<number, RegExpMatchArray>();
  for (const match of text.matchAll(pattern)) matches.set(match.index, match);
  const positions = [...matches.keys()];
  const spots: Spot[] = [];
  if (matches.size === 0) return spots;

  const stack: Frame[] = [commands('')];
  /** Where in the stack the here-documents and the backticks are: both end whatever is open above them. */
  const bodies: number[] = [];
  const backticks: number[] = [];
  const pending: PendingHeredoc[] = [];
  let lookAhead = 1_000_000;
  let i = 0;

  const top = (): Frame => stack[stack.length - 1]!;
  const scriptOf = (frame: Frame): Script | undefined =>
    frame.kind === 'double' || frame.kind === 'heredoc' ? frame.script : undefined;

  const push = (frame: Frame, at: number): void => {
    const script = scriptOf(top());
    if (script !== undefined) script.open = at;
    if (frame.kind === 'heredoc') bodies.push(stack.length);
    if (frame.kind === 'commands' && frame.closer === '`') backticks.push(stack.length);
    stack.push(frame);
  };

  /** `end` is where the frame's text ends, `next` where reading goes on. */
  const pop = (end: number, next: number): void => {
    const frame = stack.pop()!;
    if (bodies.at(-1) === stack.length) bodies.pop();
    if (backticks.at(-1) === stack.length) backticks.pop();
    const script = scriptOf(frame);
    if (script !== undefined && frame.kind === 'double') addScript(script, end, 'double');
    if (script !== undefined && frame.kind === 'heredoc')
      addScript(script, end, frame.literal ? 'verbatim' : 'heredoc');
    if (stack.length > 0) {
      const outer = scriptOf(top());
      if (outer !== undefined) outer.opaque.push([outer.open, next]);
    }
    i = next;
  };

  const popTo = (height: number, end: number, next: number): void => {
    while (stack.length > height + 1) pop(end, end);
    pop(end, next);
  };

  const addScript = ({ start, opaque }: Script, end: number, layer: Layer): void => {
    if (level === DEEPEST_SCRIPT) {
      takeAll(start, end, 'unfollowed');
      return;
    }
    const { script, origin } = decode(text, start, end, opaque, layer);
    for (const spot of findSpots(script, pattern, level + 1)) {
      spots.push({ ...spot, start: origin[spot.start]!, end: origin[spot.end]!, layers: [...spot.layers, layer] });
    }
  };

  /** What a frame holds becomes part of a script, in a way that is not followed. */
  const isUnfollowed = (frame: Frame): boolean => {
    if (frame.kind === 'commands') return frame.inScript && isPiece(frame);
    return (frame.kind === 'double' || frame.kind === 'parameter') && frame.unfollowed;
  };

  /** Whether what comes before in this script names another shell, whose own script would then begin here. */
  const isPiece = (frame: Commands): boolean =>
    frame.nested || (frame.wordStart !== -1 && namesShell(text, frame.wordStart, i));

  const take = (match: RegExpMatchArray, at: Quoting, before: Place['before'], restIsPlain = false): number => {
    const end = match.index! + match[0].length;
    const frame = top();
    // In a script's text the places are found when the script is read as a whole.
    if (scriptOf(frame) !== undefined) return end;
    const start = match.index! - before.length;
    const inScript = frame.kind === 'commands' && frame.inScript;
    const quoting = isUnfollowed(frame) || (inScript && at !== 'bare') ? 'unfollowed' : at;
    // A bare word that a shell will read as a script: `bash -c $DIR/run.sh`.
    const layers: Layer[] = inScript ? ['bare'] : [];
    let nameStart = start;
    while (/\w/.test(text[nameStart - 1] ?? '')) nameStart--;
    const afterName = nameStart < start && text[nameStart - 1] === '$' && !matches.has(nameStart - 1);
    const after = text[end] ?? '';
    spots.push({ start, end, name: match[1]!, quoting, before, after, restIsPlain, afterName, layers });
    return end;
  };

  /** Every variable of a stretch in which the shell sees nothing but characters. */
  const takeAll = (start: number, end: number, quoting: Quoting): void => {
    for (let index = firstFrom(positions, start); index < positions.length && positions[index]! < end; index++) {
      take(matches.get(positions[index]!)!, quoting, '');
    }
  };

  const single = (script: boolean): void => {
    const close = text.indexOf("'", i + 1);
    const end = close === -1 ? text.length : close;
    if (script) addScript({ start: i + 1, opaque: [], open: 0 }, end, 'verbatim');
    else takeAll(i + 1, end, 'single');
    i = end + 1;
  };

  const ansi = (): void => {
    let end = i + 2;
    let lastBackslash = -1;
    while (end < text.length && text[end] !== "'") {
      if (text[end] === '\\') lastBackslash = end++;
      end++;
    }
    for (let at = i + 2; at < end; at++) {
      const escaped = text[at] === '\\';
      const match = matches.get(escaped ? at + 1 : at);
      if (match !== undefined) at = take(match, 'ansi', escaped ? '\\' : '', lastBackslash < at + 1) - 1;
      else if (escaped) at++;
    }
    i = end + 1;
  };

  /** Whether `((` begins a calculation; with one `)` at its end it would be a subshell in a subshell. */
  const isArithmetic = (from: number): boolean => {
    let depth = 0;
    for (let at = from; at < text.length && lookAhead > 0; at++, lookAhead--) {
      if (text[at] === '(') depth++;
      else if (text[at] === ')' && depth-- === 0) return text[at + 1] === ')';
    }
    return false;
  };

  /** What a `$` or a backtick begins, alike in and out of double quotes. False: it begins nothing. */
  const expansion = (quoted: boolean): boolean => {
    const next = text[i + 1];
    if (text[i] === '`') {
      const open = backticks.at(-1);
      if (open !== undefined) popTo(open, i, i + 1);
      else {
        push(commands('`', quoted), i);
        i++;
      }
      return true;
    }
    if (text[i] !== '$') return false;
    if (next === '(') {
      if (text[i + 2] === '(' && isArithmetic(i + 3)) {
        push({ kind: 'arithmetic', closer: '))', depth: 0 }, i);
        i += 3;
      } else {
        push(commands(')'), i);
        i += 2;
      }
    } else if (next === '{') {
      const header = /[!#]?(?:\w+|[@*#?$!-])?/y;
      header.lastIndex = i + 2;
      header.test(text);
      const at = Math.max(header.lastIndex, i + 2);
      const operator = text[at] ?? '';
      const arithmetic = operator === ':' && !'-=?+'.includes(text[at + 1] ?? '}');
      const frame = top();
      const unfollowed =
        isUnfollowed(frame) || scriptOf(frame) !== undefined || (frame.kind === 'commands' && frame.inScript);
      push({ kind: 'parameter', quoted, patterns: !quoted || /[#%/^,]/.test(operator), arithmetic, unfollowed }, i);
      i = at;
    } else if (next === '[') {
      push({ kind: 'arithmetic', closer: ']', depth: 0 }, i);
      i += 2;
    } else if (next === '$') {
      i += 2;
    } else return false;
    return true;
  };

  /** A variable here, or right after the backslash or `$` that stands here. */
  const variable = (quoting: Quoting): boolean => {
    const here = matches.get(i);
    const next = text[i] === '\\' || text[i] === '$' ? matches.get(i + 1) : undefined;
    if (here !== undefined) i = take(here, quoting, '');
    else if (next !== undefined) i = take(next, quoting, text[i] as '\\' | '$');
    else return false;
    return true;
  };

  const readCommands = (frame: Commands): void => {
    const c = text[i]!;
    const next = text[i + 1];
    if (/[\s;&|()<>]/.test(c)) {
      endWord(frame, text, i);
      if (c === '\n') {
        endCommand(frame);
        i++;
        if (pending.length > 0) openBodies();
      } else if (c === '(') {
        if (next === '(' && !frame.started && isArithmetic(i + 2)) {
          push({ kind: 'arithmetic', closer: '))', depth: 0 }, i);
          i += 2;
        } else {
          push(commands(')'), i);
          i++;
        }
      } else if (c === ')' && frame.closer === ')' && frame.openCases === 0) {
        pop(i, i + 1);
      } else if (c === '<' && next === '<' && text[i + 2] !== '<') {
        readHeredocOperator(frame);
      } else if (c === '<' && next === '<') {
        frame.hereString = frame.shell === 'options';
        i += 3;
      } else if (c === '<' || c === '>') {
        i += next === '&' ? 2 : 1;
      } else if (c === '&' && next === '>') {
        i += 2;
      } else {
        if (c === ';' || c === '&' || c === '|' || c === ')') endCommand(frame);
        i++;
      }
      return;
    }
    if (c === '#' && frame.wordStart === -1) {
      const newline = text.indexOf('\n', i);
      const line = newline === -1 ? text.length : newline;
      const tick = frame.closer === '`' ? text.slice(i, line).indexOf('`') : -1;
      const end = tick === -1 ? line : i + tick;
      takeAll(i, end, 'comment');
      i = end;
      return;
    }
    const beginsWord = frame.wordStart === -1;
    if (beginsWord && !(c === '\\' && next === '\n') && !(c === '`' && backticks.length > 0)) {
      frame.wordStart = i;
      frame.inScript = readsScript(frame);
    }
    if (variable('bare')) return;
    if (c === '\\') {
      if (next === '"' && frame.closer === '`' && frame.quoted) {
        push({ kind: 'double', escaped: true, script: undefined, unfollowed: frame.inScript }, i);
      }
      i += 2;
    } else if (c === "'") {
      single(frame.inScript && !isPiece(frame));
    } else if (c === '"' || (c === '$' && next === '"')) {
      const start = i + (c === '"' ? 1 : 2);
      const unfollowed = isUnfollowed(frame);
      const script = frame.inScript && !unfollowed ? { start, opaque: [], open: 0 } : undefined;
      push({ kind: 'double', escaped: false, script, unfollowed }, i);
      i = start;
    } else if (c === '$' && next === "'") {
      ansi();
    } else if (!expansion(false)) i++;
  };

  /** `<<` or `<<-` and the word behind it, which says how the body is quoted. */
  const readHeredocOperator = (frame: Commands): void => {
    const stripTabs = text[i + 2] === '-';
    const word = /[ \t]*((?:'[^']{0,256}'|"[^"\\]{0,256}"|\\.|[^\s;&|()<>'"\\]){0,256})/sy;
    word.lastIndex = i + (stripTabs ? 3 : 2);
    const written = word.exec(text)?.[1] ?? '';
    const end = Math.max(word.lastIndex, i + 2);
    takeAll(i, end, 'fixed');
    const script = frame.shell === 'options' && !/^-[A-Za-z]*c$/.test(frame.lastWord);
    if (written !== '') {
      const delimiter = written.replace(/\\(.)|['"]/gs, '$1');
      pending.push({ delimiter, literal: /['"\\]/.test(written), stripTabs, script });
    }
    i = end;
  };

  /** The bodies of the here-documents that the line before `i` asked for, the first one on top of the stack. */
  const openBodies = (): void => {
    const found: { frame: Heredoc; start: number }[] = [];
    let start = i;
    for (const { delimiter, literal, stripTabs, script } of pending.splice(0)) {
      const { end, resume } = endOfBody(text, start, delimiter, stripTabs);
      const inner = script ? { start, opaque: [], open: 0 } : undefined;
      found.push({ frame: { kind: 'heredoc', end, resume, literal, script: inner }, start });
      start = resume;
    }
    for (const { frame, start: at } of found.reverse()) push(frame, at);
  };

  while (i < text.length) {
    const body = bodies.at(-1);
    if (body !== undefined && i >= (stack[body] as Heredoc).end) {
      const { end, resume } = stack[body] as Heredoc;
      popTo(body, end, resume);
      continue;
    }
    const frame = top();
    const c = text[i]!;
    switch (frame.kind) {
      case 'commands':
        readCommands(frame);
        break;
      case 'heredoc':
        if (frame.literal) {
          takeAll(i, frame.end, 'literal-heredoc');
          i = frame.end;
        } else if (!variable('heredoc') && !expansion(true)) i += c === '\\' ? 2 : 1;
        break;
      case 'double':
        if (variable('double')) break;
        if (c === '"' && !frame.escaped) pop(i, i + 1);
        else if (c === '\\' && text[i + 1] === '"' && frame.escaped) pop(i, i + 2);
        else if (c === '\\') i += 2;
        else if (!expansion(true)) i++;
        break;
      case 'parameter':
        if (variable(frame.arithmetic ? 'arithmetic' : frame.patterns ? 'bare' : 'double')) break;
        if (c === '}') pop(i, i + 1);
        else if (c === '\\') i += 2;
        else if (c === "'" && frame.patterns) single(false);
        else if (c === '$' && text[i + 1] === "'" && !frame.quoted) ansi();
        else if (c === '"') {
          push({ kind: 'double', escaped: false, script: undefined, unfollowed: frame.unfollowed }, i);
          i++;
        } else if (!expansion(frame.quoted)) i++;
        break;
      case 'arithmetic':
        if (variable('arithmetic')) break;
        if (c === (frame.closer === ']' ? '[' : '(')) frame.depth++;
        else if (c === (frame.closer === ']' ? ']' : ')')) {
          if (frame.depth-- === 0) {
            pop(i, i + frame.closer.length);
            break;
          }
        } else if (expansion(true)) break;
        i += c === '\\' ? 2 : 1;
        break;
    }
  }
  // Quotes that are never closed: the shell will refuse the command, but what it holds has to be found all the same.
  while (stack.length > 0) pop(text.length, text.length);
  return spots;
}

function commands(closer: Commands['closer'], quoted = false): Commands {
  return {
    kind: 'commands',
    closer,
    quoted,
    wordStart: -1,
    started: false,
    lastWord: '',
    shell: 'none',
    evaluates: false,
    hereString: false,
    inScript: false,
    nested: false,
    openCases: 0,
  };
}

/** Whether the word that begins now is a script for a shell to run. */
function readsScript(frame: Commands): boolean {
  return frame.evaluates || frame.hereString || (frame.shell !== 'none' && /^-[A-Za-z]*c$/.test(frame.lastWord));
}

/** Whether a stretch of text may call another shell. A very long one is taken to. */
function namesShell(text: string, start: number, end: number): boolean {
  return end - start > 256 || /\b(?:\w*sh|eval|trap)\b/.test(text.slice(start, end).replace(/['"\\]/g, ''));
}

function endWord(frame: Commands, text: string, end: number): void {
  if (frame.wordStart === -1) return;
  // No name that matters is longer, and the word may hold a whole program in `$(…)`.
  const word = text.slice(frame.wordStart, Math.min(end, frame.wordStart + 256)).replace(/['"\\]/g, '');
  if (frame.evaluates && namesShell(text, frame.wordStart, end)) frame.nested = true;
  frame.wordStart = -1;
  frame.hereString = false;
  frame.inScript = false;
  if (!frame.started) {
    if (PREFIX_WORDS.has(word) || /^\w+\+?=/.test(word)) return;
    // In `case x in a) …` the parenthesis ends a pattern, not the substitution around it.
    if (word === 'case') frame.openCases++;
    if (word === 'esac') frame.openCases = Math.max(0, frame.openCases - 1);
    frame.evaluates = word === 'eval' || word === 'trap';
    frame.started = true;
  } else if (frame.lastWord === 'in' && word === 'esac') {
    frame.openCases = Math.max(0, frame.openCases - 1);
  }
  if (SHELLS.has(word.slice(word.lastIndexOf('/') + 1))) frame.shell = 'options';
  else if (frame.shell === 'options' && !/^[-+]/.test(word) && !/^[-+][A-Za-z]*o$/.test(frame.lastWord)) {
    frame.shell = 'operands';
  }
  frame.lastWord = word;
}

/** The index of the first position that is not before `start`, in a sorted list. */
function firstFrom(positions: readonly number[], start: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle]! < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endCommand(frame: Commands): void {
  frame.started = false;
  frame.lastWord = '';
  frame.shell = 'none';
  frame.evaluates = false;
  frame.nested = false;
}

function endOfBody(
  text: string,
  start: number,
  delimiter: string,
  stripTabs: boolean,
): { end: number; resume: number } {
  for (let at = start; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline;
    const line = text.slice(at, lineEnd);
    if ((stripTabs ? line.replace(/^\t+/, '') : line) === delimiter) return { end: at, resume: lineEnd };
    at = lineEnd + 1;
  }
  return { end: text.length, resume: text.length };
}

/** The text of a script as the shell that is given it will see it, and where each of its characters comes from. */
function decode(
  text: string,
  start: number,
  end: number,
  opaque: readonly (readonly [start: number, end: number])[],
  layer: Layer,
): { script: string; origin: number[] } {
  const parts: string[] = [];
  const origin: number[] = [];
  const add = (character: string, from: number): void => {
    parts.push(character);
    origin.push(from);
  };
  let gap = 0;
  for (let at = start; at < end; ) {
    while (gap < opaque.length && opaque[gap]![1] <= at) gap++;
    const hidden = opaque[gap];
    if (hidden !== undefined && at >= hidden[0]) {
      add('x', at);
      at = hidden[1];
    } else if (layer !== 'verbatim' && text[at] === '\\' && text[at + 1] === '\n') {
      at += 2;
    } else if (text[at] === '\\' && text[at + 1]?.search(LAYERS[layer]) === 0) {
      add(text[at + 1]!, at);
      at += 2;
    } else {
      add(text[at]!, at);
      at++;
    }
  }
  origin.push(end);
  return { script: parts.join(''), origin };
}
