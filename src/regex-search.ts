import { canonical, OP, type Program, type Reference } from './regex-program.ts';

/** How many steps go by between two looks at the clock: well under a millisecond's worth. */
const STEPS_PER_LOOK = 4096;
/** Numbers on the stack, 64 MiB of them. V8 gives up at that size too. */
const MAX_STACK = 2 ** 24;

/**
 * Looks for a match anywhere in the target, backtracking in the order that ECMAScript prescribes.
 *
 * @param goOn asked every few thousand steps whether there is time left
 * @returns whether there is a match; undefined if the time or the space for backtracking ran out first
 */
export function search(program: Program, target: string, goOn: () => boolean): boolean | undefined {
  const { code } = program;
  const first = code[0];
  const set = first === OP.set ? program.sets[code[1]!]! : undefined;
  const machine = new Machine(program, target, goOn);
  for (let at = 0; at <= target.length; at++) {
    // A pattern that must begin with some character is not worth starting where there is another.
    if (first === OP.char && target.charCodeAt(at) !== code[1]) at = indexOfChar(target, code[1]!, at);
    else if (set !== undefined) while (at < target.length && !set.has(target.charCodeAt(at))) at++;
    const found = machine.runAt(at);
    if (found !== false) return found;
    if (first === OP.start) return false;
  }
  return false;
}

// --- internal ---

function indexOfChar(target: string, code: number, from: number): number {
  const found = target.indexOf(String.fromCharCode(code), from);
  return found < 0 ? target.length : found;
}

function isWord(target: string, at: number): boolean {
  const code = target.charCodeAt(at);
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  );
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

class Machine {
  readonly #program: Program;
  readonly #target: string;
  readonly #goOn: () => boolean;
  /** Captures, counters and notes; -1 is undefined. A run that failed has undone all it did, so they serve the next one. */
  readonly #registers: Int32Array;
  /**
   * Triples `a`, `b`, `tag`. A tag below 0: register `~tag` had the value `a` before; undoing that on the way back is
   * cheaper than a copy of all registers with each choice. Else a choice, to go on at step `tag` and position `a`; with a
   * `b` of 0 or more it belongs to a run (see `#resumeRun`).
   */
  #stack = new Int32Array(1536);
  /**
   * Where the run with this number was last taken to its very end, from and to. From anywhere in between it ends at the
   * same place, so that `.*` on a long line is not walked through again from each of its characters.
   */
  readonly #runs: Int32Array;
  #height = 0;
  #steps = 0;
  /** Where in the target, and at which step of the program, the search stands after `#backtrack`. */
  #at = 0;
  #pc = 0;

  constructor(program: Program, target: string, goOn: () => boolean) {
    this.#program = program;
    this.#target = target;
    this.#goOn = goOn;
    this.#registers = new Int32Array(program.registers).fill(-1);
    this.#runs = new Int32Array(2 * program.runs).fill(-1);
  }

  /** Whether the pattern matches from `start` on; undefined if time or space ran out. */
  runAt(start: number): boolean | undefined {
    const { code, sets, references } = this.#program;
    const target = this.#target;
    const registers = this.#registers;
    let at = start;
    let pc = 0;
    for (;;) {
      if (++this.#steps >= STEPS_PER_LOOK) {
        this.#steps = 0;
        if (this.#height > MAX_STACK || !this.#goOn()) return undefined;
      }
      let works = true;
      switch (code[pc]) {
        case OP.match:
          return true;
        // charCodeAt outside the string is NaN, which equals nothing and is in no set.
        case OP.char:
          works = target.charCodeAt(at++) === code[pc + 1];
          pc += 2;
          break;
        case OP.charBack:
          works = target.charCodeAt(--at) === code[pc + 1];
          pc += 2;
          break;
        case OP.set:
          works = sets[code[pc + 1]!]!.has(target.charCodeAt(at++));
          pc += 2;
          break;
        case OP.setBack:
          works = sets[code[pc + 1]!]!.has(target.charCodeAt(--at));
          pc += 2;
          break;
        case OP.split:
          this.#push(at, -1, code[pc + 1]!);
          pc += 2;
          break;
        case OP.jump:
          pc = code[pc + 1]!;
          break;
        case OP.start:
          works = at === 0;
          pc += 1;
          break;
        case OP.end:
          works = at === target.length;
          pc += 1;
          break;
        case OP.lineStart:
          works = at === 0 || isLineEnd(target.charCodeAt(at - 1));
          pc += 1;
          break;
        case OP.lineEnd:
          works = at === target.length || isLineEnd(target.charCodeAt(at));
          pc += 1;
          break;
        case OP.wordEdge:
          works = isWord(target, at - 1) !== isWord(target, at);
          pc += 1;
          break;
        case OP.notWordEdge:
          works = isWord(target, at - 1) === isWord(target, at);
          pc += 1;
          break;
        case OP.open:
          this.#set(code[pc + 1]!, at);
          pc += 2;
          break;
        case OP.close: {
          const opened = registers[code[pc + 1]!]!;
          const group = code[pc + 2]!;
          const isBack = code[pc + 3] === 1;
          this.#set(2 * group - 2, isBack ? at : opened);
          this.#set(2 * group - 1, isBack ? opened : at);
          pc += 4;
          break;
        }
        case OP.reference:
          at = this.#repeated(references[code[pc + 1]!]!, at);
          works = at >= 0;
          pc += 2;
          break;
        case OP.run:
          works = this.#enterRun(pc, at);
          at = this.#at;
          pc += 7;
          break;
        case OP.zero:
          this.#set(code[pc + 1]!, 0);
          pc += 2;
          break;
        case OP.loop: {
          const count = registers[code[pc + 1]!]!;
          const body = pc + 6;
          const exit = code[pc + 5]!;
          if (count < code[pc + 2]!) pc = body;
          else if (count >= code[pc + 3]!) pc = exit;
          else {
            const isGreedy = code[pc + 4] === 1;
            this.#push(at, -1, isGreedy ? exit : body);
            pc = isGreedy ? body : exit;
          }
          break;
        }
        case OP.iterate: {
          const counter = code[pc + 1]!;
          this.#set(counter, registers[counter]! + 1);
          this.#set(code[pc + 2]!, at);
          // An iteration starts with the captures inside it undefined again.
          const from = 2 * code[pc + 3]! - 2;
          const end = 2 * code[pc + 4]! - 2;
          for (let r = from; r < end; r++) if (registers[r] !== -1) this.#set(r, -1);
          this.#steps += (end - from) >> 1;
          pc += 5;
          break;
        }
        case OP.iterated:
          // An empty iteration beyond the demanded ones fails, or `(a*)*` would never end.
          works = registers[code[pc + 1]!]! <= code[pc + 3]! || registers[code[pc + 2]!]! !== at;
          pc += 4;
          break;
        case OP.look:
          this.#set(code[pc + 1]!, this.#height);
          this.#set(code[pc + 2]!, at);
          pc += 3;
          break;
        case OP.looked:
          at = registers[code[pc + 2]!]!;
          this.#forgetChoices(registers[code[pc + 1]!]!);
          pc += 3;
          break;
        case OP.lookNot:
          this.#set(code[pc + 1]!, this.#height);
          this.#push(at, -1, code[pc + 2]!);
          pc += 3;
          break;
        case OP.lookedNot:
          this.#undoDownTo(registers[code[pc + 1]!]!);
          works = false;
          break;
      }
      if (works) continue;
      if (!this.#backtrack()) return false;
      at = this.#at;
      pc = this.#pc;
    }
  }

  /** Undoes what was done since the last choice that is still open, and takes that one; false if there is none. */
  #backtrack(): boolean {
    while (this.#height > 0) {
      this.#height -= 3;
      const a = this.#stack[this.#height]!;
      const b = this.#stack[this.#height + 1]!;
      const tag = this.#stack[this.#height + 2]!;
      if (tag < 0) {
        this.#registers[~tag] = a;
      } else if (b < 0) {
        this.#at = a;
        this.#pc = tag;
        return true;
      } else if (this.#resumeRun(tag, a, b)) {
        this.#pc = tag + 7;
        return true;
      }
    }
    return false;
  }

  #push(a: number, b: number, tag: number): void {
    if (this.#height + 3 > this.#stack.length) {
      const larger = new Int32Array(2 * this.#stack.length);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    this.#stack[this.#height++] = a;
    this.#stack[this.#height++] = b;
    this.#stack[this.#height++] = tag;
  }

  #set(register: number, value: number): void {
    this.#push(this.#registers[register]!, -1, ~register);
    this.#registers[register] = value;
  }

  /** Leaves a look-around that matched: it is not entered again from behind, but its captures are still undone later. */
  #forgetChoices(height: number): void {
    const stack = this.#stack;
    let to = height;
    for (let from = height; from < this.#height; from += 3) {
      if (stack[from + 2]! >= 0) continue;
      stack.copyWithin(to, from, from + 3);
      to += 3;
    }
    this.#steps += (this.#height - height) >> 2;
    this.#height = to;
  }

  #undoDownTo(height: number): void {
    while (this.#height > height) {
      this.#height -= 3;
      const tag = this.#stack[this.#height + 2]!;
      if (tag < 0) this.#registers[~tag] = this.#stack[this.#height]!;
      this.#steps++;
    }
  }

  /** Takes as many of a run's characters as it takes at first; false if there are too few. */
  #enterRun(pc: number, at: number): boolean {
    const { code, sets } = this.#program;
    const set = sets[code[pc + 1]!]!;
    const min = code[pc + 2]!;
    const max = code[pc + 3]!;
    const isGreedy = code[pc + 4] === 1;
    const isBack = code[pc + 5] === 1;
    const step = isBack ? -1 : 1;
    const known = 2 * code[pc + 6]!;
    const wanted = isGreedy ? max : min;
    let end = at;
    if (!isBack && wanted >= this.#target.length && at >= this.#runs[known]! && at <= this.#runs[known + 1]!) {
      end = this.#runs[known + 1]!;
    } else {
      const limit = isBack ? Math.max(at - wanted, 0) : Math.min(at + wanted, this.#target.length);
      while (end !== limit && set.has(this.#target.charCodeAt(isBack ? end - 1 : end))) end += step;
      this.#steps += (step * (end - at)) >> 3;
      if (!isBack && wanted >= this.#target.length) {
        this.#runs[known] = at;
        this.#runs[known + 1] = end;
      }
    }
    const count = step * (end - at);
    if (count < min) return false;
    if (isGreedy) return this.#endRun(pc, end, at + step * min);
    if (max > min) this.#push(end, max - min, pc);
    this.#at = end;
    return true;
  }

  /** A greedy run has `a` to end at next and `b` to end at last; a lazy one ended at `a` and may take `b` more. */
  #resumeRun(pc: number, a: number, b: number): boolean {
    const { code, sets } = this.#program;
    if (code[pc + 4] === 1) return this.#endRun(pc, a, b);
    const isBack = code[pc + 5] === 1;
    const step = isBack ? -1 : 1;
    this.#steps++;
    if (!sets[code[pc + 1]!]!.has(this.#target.charCodeAt(isBack ? a - 1 : a))) return false;
    if (b > 1) this.#push(a + step, b - 1, pc);
    this.#at = a + step;
    return true;
  }

  /** Ends a greedy run at `first`, or nearer to `last`: not where the character that must follow does not. */
  #endRun(pc: number, first: number, last: number): boolean {
    const { code } = this.#program;
    let end = first;
    if (code[pc + 5] === 0 && code[pc + 7] === OP.char) {
      const next = code[pc + 8]!;
      while (end > last && this.#target.charCodeAt(end) !== next) end--;
    }
    this.#steps += 1 + ((first - end) >> 3);
    if (end !== last) this.#push(code[pc + 5] === 1 ? end + 1 : end - 1, last, pc);
    this.#at = end;
    return true;
  }

  /** Behind the repetition of what was captured, or -1; a group that captured nothing repeats as nothing. */
  #repeated(reference: Reference, at: number): number {
    const { groups, ignoreCase, back } = reference;
    const target = this.#target;
    const group = groups.find((n) => this.#registers[2 * n - 1] !== -1);
    if (group === undefined) return at;
    const from = this.#registers[2 * group - 2]!;
    const length = this.#registers[2 * group - 1]! - from;
    const start = back ? at - length : at;
    if (start < 0 || start + length > target.length) return -1;
    this.#steps += length >> 2;
    for (let i = 0; i < length; i++) {
      const a = target.charCodeAt(from + i);
      const b = target.charCodeAt(start + i);
      if (a !== b && !(ignoreCase && canonical(a) === canonical(b))) return -1;
    }
    return back ? start : start + length;
  }
}
