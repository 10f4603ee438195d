import { nowMs } from '../clock.ts';
import { decide } from '../decide.ts';
import { HookrunError } from '../errors.ts';
import { rulingCodes } from '../exit-codes.ts';
import { asHookrunError } from '../fail.ts';
import { logged } from '../finish.ts';
import { watchInterrupts } from '../interrupts.ts';
import { keepConfigs } from '../kept-config.ts';
import { type Line, linesIn } from '../lines.ts';
import { createMask } from '../mask.ts';
import type { RunOptions, StreamOptions } from '../options.ts';
import { optionsByFlag } from '../own-settings/project.ts';
import { payloadLimit, rawPayload } from '../payload.ts';
import { type Prepared, prepareEvent } from '../prepare.ts';
import { type Report, reportError } from '../report.ts';
import { createSpawner } from '../spawn.ts';
import { createTally } from '../tally.ts';
import { toJson } from '../to-json.ts';
import { say } from '../words.ts';
import type { World } from '../world.ts';

/** Often enough for memory to stay flat, and too rare to be felt. */
const eventsPerCollection = 50;

/**
 * `hookrun stream`: one payload a line in, one decision a line out, in the same order unless told otherwise. A line that is no payload is answered by
 * an error on its line, and the stream goes on. Returns the worst exit code of all. No more lines are read than are being worked on, and no
 * more is worked on than is being read from stdout, so memory stays flat.
 */
export async function stream(options: StreamOptions, unfit: HookrunError | undefined, world: World): Promise<number> {
  if (unfit !== undefined) throw unfit;
  if (world.stdin.isTTY) throw new HookrunError('usage', say('stream-terminal', {}), 'hookrun stream < events.jsonl');
  const mask = createMask([world.env], world.fs);
  const spawner = createSpawner(world.startChild, { folder: world.tmp, name: () => `.hookrun-${world.uuid()}` });
  const interrupts = watchInterrupts(world, spawner);
  const configs = keepConfigs();
  const tally = createTally(options.run.tell, world);
  const silent = { started() {}, ended() {} };
  let ended = false;

  const answer = async (line: Line, id: number): Promise<Report> => {
    let prepared: Prepared | undefined;
    let counting: RunOptions = options.run;
    const settled = (run: RunOptions): void => {
      counting = run;
    };
    const began = nowMs();
    let report: Report;
    try {
      if ('tooLong' in line)
        throw new HookrunError('payload', say('payload-too-large', { path: `line ${id}` }, payloadLimit / 1024 / 1024));
      const raw = await rawPayload(line.bytes, `line ${id}`, options.run.payload);
      prepared = await prepareEvent(raw, options.run, world);
      const config = await configs.load(prepared.format, prepared.where);
      const running = { config, spawner, interrupts, watcher: silent, mask, settled, began };
      report = await decide(prepared, options.run, world, running);
    } catch (error) {
      if (prepared !== undefined && counting === options.run) counting = await optionsByFlag(counting, prepared.where);
      report = reportError(asHookrunError(error), counting.onFailure, mask);
    }
    return logged(report, prepared, { output: 'json', log: counting.log }, mask, world);
  };

  const print = async (report: Report, id: number): Promise<void> => {
    tally.count(report.exitCode);
    if (options.failFast && report.exitCode !== 0) {
      ended = true;
      // Whoever writes the events may be waiting for this very answer.
      world.stdin.close();
    }
    const { schemaVersion, ...rest } = report.decision;
    await world.stdout.write(`${toJson({ schemaVersion, id, ...rest })}\n`);
  };

  const underWay: { readonly done: Promise<void> }[] = [];
  try {
    let printed: Promise<void> = Promise.resolve();
    let id = 0;
    const lines = linesIn(world.stdin.chunks(), payloadLimit);
    const next = async (): Promise<Line | undefined> => {
      try {
        const found = await interrupts.orInterrupted(lines.next());
        return found.done === true || ended ? undefined : found.value;
      } catch (error) {
        // That stdin was let go of is no error then.
        if (ended && interrupts.signal === undefined) return undefined;
        throw error;
      }
    };
    for (let line = await next(); line !== undefined; line = ended ? undefined : await next()) {
      id += 1;
      if ('bytes' in line && isBlank(line.bytes)) continue;
      const number = id;
      if (number % eventsPerCollection === 0) world.collect?.();
      const report = answer(line, number);
      const before = printed;
      const done = options.unordered
        ? report.then((it) => {
            printed = printed.then(() => print(it, number));
            return printed;
          })
        : report.then(async (it) => {
            await before;
            if (!ended || !options.failFast) await print(it, number);
          });
      if (!options.unordered) printed = done;
      const entry = { done: done.then(() => void underWay.splice(underWay.indexOf(entry), 1)) };
      underWay.push(entry);
      while (underWay.length >= options.events) await Promise.race(underWay.map((one) => one.done));
    }
    await Promise.all(underWay.map((one) => one.done));
    await printed;
    await tally.report();
    return tally.worst;
  } catch (error) {
    if (!(error instanceof HookrunError) || interrupts.signal === undefined) throw error;
    // What was under way is being ended, and what is known of it is still printed.
    await Promise.allSettled(underWay.map((one) => one.done));
    await tally.report();
    const denied = tally.worst === rulingCodes.deny || tally.worst === rulingCodes.stop;
    return denied ? tally.worst : reportError(error, options.run.onFailure, mask).exitCode;
  } finally {
    spawner.killAll();
    interrupts.stop();
  }
}

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
