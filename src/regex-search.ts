import { type CharSet, canonical, OP, type Program, type Reference } from './regex-program.ts';

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
  readonly #registers: Int32Array;
  /**
   * Triples, the last of which says what they are. `pc >= 0`: a choice, to go on there at position `a` (`b` belongs to a
   * run). Negative: a register, `~pc`, had the value `a` before; undoing that on the way back is cheaper than keeping a
   * copy of all registers with each choice.
   */
  #stack = new Int32Array(1024);
  #height = 0;
  #steps = 0;

  constructor(program: Program, target: string, goOn: () => boolean) {
    this.#program = program;
    this.#target = target;
    this.#goOn = goOn;
    this.#registers = new Int32Array(program.registers);
  }

  runAt(start: number): boolean | undefined {
    const { code, sets, references } = this.#program;
    const target = this.#target;
    const registers = this.#registers.fill(-1);
    this.#height = 0;
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
          works = at < target.length && sets[code[pc + 1]!]!.has(target.charCodeAt(at));
          at++;
          pc += 2;
          break;
        case OP.setBack:
          at--;
          works = at >= 0 && sets[code[pc + 1]!]!.has(target.charCodeAt(at));
          pc += 2;
          break;
        case OP.split:
          this.#push(at, 0, code[pc + 1]!);
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
        case OP.reference: {
          const end = this.#repeated(references[code[pc + 1]!]!, at);
          works = end >= 0;
          at = end;
          pc += 2;
          break;
        }
        case OP.run: {
          const end = this.#enterRun(pc, sets[code[pc + 1]!]!, at);
          works = end >= 0;
          at = end;
          pc += 6;
          break;
        }
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
          else if (code[pc + 4] === 1) {
            this.#push(at, 0, exit);
            pc = body;
          } else {
            this.#push(at, 0, body);
            pc = exit;
          }
          break;
        }
        case OP.iterate: {
          const counter = code[pc + 1]!;
          this.#set(counter, registers[counter]! + 1);
          this.#set(code[pc + 2]!, at);
          // An iteration starts with the captures inside it undefined again.
          const end = 2 * code[pc + 4]! - 2;
          for (let r = 2 * code[pc + 3]! - 2; r < end; r++) if (registers[r] !== -1) this.#set(r, -1);
          this.#steps += (end - 2 * code[pc + 3]! + 2) >> 2;
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
          this.#push(at, 0, code[pc + 2]!);
          pc += 3;
          break;
        case OP.lookedNot: {
          const height = registers[code[pc + 1]!]!;
          while (this.#height > height) this.#pop();
          works = false;
          break;
        }
      }
      if (works) continue;

      // Back to the last choice.
      let next = -1;
      while (next < 0) {
        if (this.#height === 0) return false;
        next = this.#pop();
      }
      at = this.#stack[this.#height]!;
      pc = next;
      if (code[pc] === OP.run) {
        at = this.#resumeRun(pc, sets[code[pc + 1]!]!, at, this.#stack[this.#height + 1]!);
        // A run that cannot go on has put nothing back: a step that always fails leads to the choice before it.
        pc = at < 0 ? pc : pc + 6;
        while (at < 0) {
          next = -1;
          while (next < 0) {
            if (this.#height === 0) return false;
            next = this.#pop();
          }
          at = this.#stack[this.#height]!;
          pc = next;
          if (code[pc] === OP.run) {
            at = this.#resumeRun(pc, sets[code[pc + 1]!]!, at, this.#stack[this.#height + 1]!);
            if (at >= 0) pc += 6;
          }
        }
      }
    }
  }
}
