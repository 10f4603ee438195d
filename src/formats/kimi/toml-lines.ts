/** Where `[[hooks]]` entries stand in a TOML text: the parser gives values without their places. */

/** The header of one entry, in any of the spellings that TOML has for it. */
const header = /^[ \t]*\[\[[ \t]*(?:hooks|"hooks"|'hooks')[ \t]*\]\]/;
const assignment = /^[ \t]*(?:hooks|"hooks"|'hooks')[ \t]*(?:=|\.)/;
const otherTable = /^[ \t]*\[\[?[ \t]*(?:hooks|"hooks"|'hooks')[ \t]*[.\]]/;

export interface HookLines {
  /** 1-based lines of the `[[hooks]]` headers, in order. */
  readonly headers: readonly number[];
  /** 1-based line of the first other way in which `hooks` is written: `hooks = [`, `[hooks]`, `[[hooks.X]]`. */
  readonly other: number | undefined;
}

/** Finds the lines of `hooks` in a text that is valid TOML. Multi-line strings are skipped: a command may hold anything. */
export function hookLines(text: string): HookLines {
  const headers: number[] = [];
  let other: number | undefined;
  let open: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (open === undefined) {
      if (header.test(line)) headers.push(index + 1);
      else if (other === undefined && (assignment.test(line) || otherTable.test(line))) other = index + 1;
    }
    open = openAfter(line, open);
  }
  return { headers, other };
}

/** The quotes of the multi-line string that is still open at the end of a line, if one is. */
function openAfter(line: string, before: string | undefined): string | undefined {
  let open = before;
  let at = 0;
  while (at < line.length) {
    const rest = line.slice(at, at + 3);
    if (open !== undefined) {
      if (open === '"""' && line[at] === '\\') at += 2;
      else if (rest === open) {
        // Up to two more quotes may belong to the string; they end it no less.
        at += 3;
        while (line[at] === open[0]) at += 1;
        open = undefined;
      } else at += 1;
    } else if (line[at] === '#') return undefined;
    else if (rest === '"""' || rest === "'''") {
      open = rest;
      at += 3;
    } else if (line[at] === '"' || line[at] === "'") at = afterString(line, at);
    else at += 1;
  }
  return open;
}

function afterString(line: string, start: number): number {
  const quote = line[start];
  let at = start + 1;
  while (at < line.length && line[at] !== quote) at += quote === '"' && line[at] === '\\' ? 2 : 1;
  return at + 1;
}
