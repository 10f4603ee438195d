/**
 * Whether a hook's name fits a glob: `*` stands for any characters, `?` for one, everything else for itself. Linear in both
 * lengths, so that a hostile name can't make it slow.
 */
export function fitsGlob(glob: string, name: string): boolean {
  let g = 0;
  let n = 0;
  let star = -1;
  let starName = 0;
  while (n < name.length) {
    if (g < glob.length && glob[g] === '*') {
      star = g;
      starName = n;
      g += 1;
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === name[n])) {
      g += 1;
      n += 1;
    } else if (star >= 0) {
      // Let the last star take one character more and try again from there.
      g = star + 1;
      starName += 1;
      n = starName;
    } else {
      return false;
    }
  }
  while (glob[g] === '*') g += 1;
  return g === glob.length;
}
