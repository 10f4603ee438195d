/** As much of WebAssembly as rust-regex.ts needs; the types of node 20 have none of it, and those of browsers bring a whole world along. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
    static imports(module: Module): { readonly module: string; readonly name: string }[];
  }
  type Imports = Record<string, Record<string, (...args: number[]) => unknown>>;
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class RuntimeError extends Error {}
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Table {
    get(index: number): unknown;
    set(index: number, value: unknown): void;
    grow(by: number): number;
  }
}
