/** A place in a text, both counted from 1, the column in UTF-16 code units. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds places in one text, again and again: the text is gone through once, at the first question. (A file may hold a hundred thousand hooks.)
 * Lines end with LF; in strict JSON a CR can only stand before one.
 */
export function placesIn(text: string): (offset: number) => LineAndColumn {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let from = 0;
    let to = starts.length;
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (starts[middle]! <= offset) from = middle;
      else to = middle;
    }
    return { line: from + 1, column: offset - starts[from]! + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
