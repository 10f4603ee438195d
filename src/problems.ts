/** Something worth telling a person: a stable code, a sentence, and where it is. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly path?: string | undefined;
  /** The key inside the file, or the name of a hook. */
  readonly key?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Where a problem is, as far as that is known. */
export type Place = Pick<Problem, 'path' | 'key' | 'line' | 'column'>;

/** Sentences by their code. */
export type Words = Readonly<Record<string, (...args: never[]) => string>>;

/**
 * Makes a function that builds problems from one catalogue of sentences, so that a code can't be used without its words
 * and all words of a folder stand in one place. Formats bring their own catalogue.
 */
export function speaker<W extends Words>(words: W) {
  return <C extends keyof W & string>(code: C, place: Place, ...args: Parameters<W[C]>): Problem => ({
    code,
    message: words[code]!(...(args as never[])),
    ...place,
  });
}
