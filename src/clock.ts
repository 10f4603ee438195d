import process from 'node:process';

/**
 * Milliseconds on a clock that only goes forward. Not `performance.now()`: reaching for `performance` makes node load eight modules of
 * its own, on every start.
 */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
