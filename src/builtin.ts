import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** One of node's modules that is loaded only when it is needed: most bring others along, which costs up to 2 ms on every start. */
export const builtin = {
  childProcess: () => require('node:child_process') as typeof import('node:child_process'),
  crypto: () => require('node:crypto') as typeof import('node:crypto'),
  os: () => require('node:os') as typeof import('node:os'),
  tty: () => require('node:tty') as typeof import('node:tty'),
  util: () => require('node:util') as typeof import('node:util'),
};
