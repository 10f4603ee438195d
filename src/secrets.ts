/** What replaces a secret in anything that hookrun shows. */
export const SECRET_MARK = '[secret]';

/** A value shorter than this is too likely to be an ordinary word for masking it everywhere. */
const SHORTEST_VALUE = 6;

type Range = readonly [start: number, end: number];

/**
 * Tokens that are known by their form. Every pattern is a fixed head and one run of a character class (or a bounded
 * one), so that no text makes it backtrack. Gemini CLI compares with the upper-cased value: hence `i` everywhere.
 */
const TOKENS: readonly RegExp[] = [
  /(?:gh[opusr]|github_pat)_\w{36,}/gi,
  /AIzaSy[\w\\-]{33,}/gi,
  // ASIA is also the beginning of ordinary words, so that one has to stand alone.
  /AKIA[A-Z0-9]{16}|(?<![A-Z0-9])ASIA[A-Z0-9]{16}(?![A-Z0-9])/gi,
  /[srp]k_(?:live|test)_[0-9A-Z]{24,}/gi,
  /xox[abeoprs]-[A-Z0-9-]+/gi,
];

/** What each of the forms below and above must hold, in lower case. */
const HEADS = [
  'gho_',
  'ghp_',
  'ghu_',
  'ghs_',
  'ghr_',
  'github_pat_',
  'aizasy',
  'akia',
  'asia',
  'k_live_',
  'k_test_',
  'xox',
  '-----begin ',
  '://',
  'eyj',
];

const PEM_HEADER = /-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|CERTIFICATE)-----/gi;
const PEM_FOOTER = /-----END [A-Z0-9 ]{0,60}-----/gi;

const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT/;

/**
 * Whether the name of an environment variable says that its value is secret. As in Gemini CLI a part of the name is
 * enough (MONKEY, AUTHOR): captures/gemini/env.md, rule 9 of "Sanitizing".
 */
export function secretNames(name: string): boolean {
  return SECRET_NAME.test(name.toUpperCase());
}

/**
 * Whether a value is, or holds, something that looks secret by its form: a PEM private key or certificate, a URL with a
 * password, a GitHub, Google, AWS, Stripe or Slack token, a JWT. Gemini CLI's value rule: captures/gemini/env.md, rule 2
 * of "Sanitizing". Case does not matter. Takes time linear in the value.
 */
export function looksSecret(value: string): boolean {
  if (!holdsHead(value)) return false;
  return (
    value.search(PEM_HEADER) !== -1 ||
    TOKENS.some((token) => value.search(token) !== -1) ||
    holdsUrlPassword(value) ||
    webTokens(value, 0).length > 0
  );
}

/**
 * The text with every value that looks secret replaced by `[secret]`: a PEM block whole (to the end of the text if it
 * is cut off), of a URL only user and password, so that the host stays readable. Takes time linear in the text.
 */
export function maskSecrets(text: string): string {
  return maskRanges(text, secretRanges(text));
}

/**
 * Like `maskSecrets`, and with the given values masked too, wherever they stand; of values that overlap, the whole
 * stretch goes. Values of fewer than 6 UTF-16 units are left alone.
 */
export function maskValues(text: string, values: readonly string[]): string {
  const ranges = secretRanges(text);
  // Longest first, and no value twice: a value inside a longer one then never leaves the longer one's rest to be seen.
  const literals = [...new Set(values)].filter((value) => value.length >= SHORTEST_VALUE);
  for (const literal of literals.sort((a, b) => b.length - a.length)) {
    for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length)) {
      ranges.push([at, at + literal.length]);
    }
  }
  return maskRanges(text, ranges);
}

/**
 * Gemini CLI takes anything for a user up to the first colon and anything for a password up to an @. That rule as one
 * regular expression is quadratic on `http://http://…`; walked by hand it is not.
 */
function holdsUrlPassword(value: string): boolean {
  const lastAt = value.lastIndexOf('@');
  for (const scheme of value.matchAll(/(?:https?|ftp|smtp):\/\//gi)) {
    const user = scheme.index + scheme[0].length;
    if (user >= lastAt) return false;
    const colon = value[user] === ':' ? -1 : value.indexOf(':', user);
    if (colon !== -1 && value[colon + 1] !== '@' && lastAt > colon + 1) return true;
  }
  return false;
}

/**
 * JWTs: three parts joined by dots, the first one begins with `eyJ` (a JSON object in base64url). `shortestGlued` is
 * how long the first part has to be when a letter or digit stands right before it: in a log, `keyJoin.spec.ts` is a
 * file name. 0 is Gemini CLI's own rule, which does not look.
 */
function webTokens(text: string, shortestGlued: number): Range[] {
  const found: Range[] = [];
  // Most texts hold none, and taking a large one apart word by word takes a hundred times as long as this look.
  if (text.search(/eyJ/i) === -1) return found;
  for (const run of text.matchAll(/[\w.-]+/g)) {
    const parts = run[0].split('.');
    let offset = run.index;
    for (let index = 0; index < parts.length - 2; index++) {
      const part = parts[index]!;
      const free = part.search(/(?<![A-Z0-9])eyJ/i);
      const glued = part.search(/eyJ/i);
      const head =
        free === -1 && part.length - glued < shortestGlued ? -1 : Math.min(glued, free === -1 ? glued : free);
      if (head !== -1) {
        const length = part.length + parts[index + 1]!.length + parts[index + 2]!.length + 2;
        found.push([offset + head, offset + length]);
        offset += length - part.length;
        index += 2;
      }
      offset += part.length + 1;
    }
  }
  return found;
}

/** Regular expressions are compiled when they are first used, which takes longer than all the rest here; and most texts hold none of their heads. */
function holdsHead(text: string): boolean {
  if (text.length < 5) return false;
  // Of a long one it would take longer to make a second in lower case.
  if (text.length > 65_536) return true;
  const lower = text.toLowerCase();
  return HEADS.some((head) => lower.includes(head));
}

function secretRanges(text: string): Range[] {
  if (!holdsHead(text)) return [];
  const ranges: Range[] = [...pemBlocks(text), ...webTokens(text, 16)];
  for (const token of TOKENS) {
    for (const match of text.matchAll(token)) ranges.push([match.index, match.index + match[0].length]);
  }
  // Any scheme here, not only Gemini CLI's three: a database URL carries its password in the same place. The bounds
  // keep the search linear. A number and a slash after the colon are a port and a path.
  const credentials = /(?<=[a-z]:\/\/)[^\s:@/?#"'<>]{0,256}:(?!\d{1,5}\/)[^\s"'<>]{1,1024}@/gi;
  for (const match of text.matchAll(credentials)) ranges.push([match.index, match.index + match[0].length - 1]);
  return ranges;
}

function pemBlocks(text: string): Range[] {
  const blocks: Range[] = [];
  const header = new RegExp(PEM_HEADER);
  const footer = new RegExp(PEM_FOOTER);
  for (let begin = header.exec(text); begin !== null; begin = header.exec(text)) {
    footer.lastIndex = header.lastIndex;
    const end = footer.exec(text) === null ? text.length : footer.lastIndex;
    blocks.push([begin.index, end]);
    header.lastIndex = end;
  }
  return blocks;
}

function maskRanges(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  ranges.sort((a, b) => a[0] - b[0]);
  let masked = '';
  let shown = 0;
  for (const [start, end] of ranges) {
    // Ranges that overlap or touch become one mark: two marks side by side would say where the parts meet.
    if (start > shown || masked === '') masked += text.slice(shown, start) + SECRET_MARK;
    shown = Math.max(shown, end);
  }
  return masked + text.slice(shown);
}
