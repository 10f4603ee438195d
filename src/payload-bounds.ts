/** More than any real payload has, and few enough to fit in the memory of a small machine. */
export const mostValues = 2_000_000;

/**
 * Whether a JSON text holds more values than that. 64 MiB of `[],[],[],…` would take gigabytes as objects, and a program that runs out of
 * memory dies without a decision. Only separators outside of strings count; a text that is too short for it is not looked at.
 */
export function holdsTooMuch(text: string, most = mostValues): boolean {
  if (text.length <= most * 2) return false;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x2c: // ,
      case 0x5b: // [
      case 0x7b: // {
        count += 1;
        if (count > most) return true;
    }
  }
  return false;
}

/** Where the string that begins here has its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    // An even number of backslashes escapes themselves, not the quote.
    if ((quote - before) % 2 === 1) return quote;
  }
  return text.length;
}
