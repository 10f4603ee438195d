/**
 * Milliseconds on a clock that only goes forward. Not `performance.now()`: reaching for `performance` makes node load eight modules of
 * its own, on every start.
 */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * Milliseconds of processor time that this process has had. For bounds on computing: on a busy machine time passes without anything
 * being computed, and a matcher must not fail for that.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
