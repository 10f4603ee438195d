/** What people read on stderr: short, coloured on a terminal, with what, where, why and what to do. */

import { nowMs } from './clock.ts';
import type { Decision, ErrorResult, HookResult, WarningResult } from './decision-schema.ts';
import type { Mask } from './mask.ts';
import type { TellOptions } from './options.ts';
import type { Place } from './problems.ts';
import { cut, plain } from './shown.ts';
import type { Hook } from './types.ts';
import type { World } from './world.ts';

export type Paint = (style: Style, text: string) => string;
type Style = 'allow' | 'deny' | 'ask' | 'stop' | 'warn' | 'dim' | 'bold';

export interface Teller {
  /** Says all that a report holds for people. */
  report(decision: Decision, advice?: string): Promise<void>;
  /** A line that is rewritten in place while hooks run; only on a terminal, only after a second. */
  readonly live: LiveLine;
}

export interface LiveLine {
  started(hook: Hook): void;
  ended(hook: Hook): void;
  stop(): void;
}

const noPaint: Paint = (_style, text) => text;

/** Whether stderr gets colour: `--color` and `--no-color` first, then NO_COLOR and FORCE_COLOR, then the terminal. */
export function wantsColor(options: TellOptions, world: World): boolean {
  if (options.color !== undefined) return options.color;
  if ((world.env['NO_COLOR'] ?? '') !== '') return false;
  const force = world.env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return world.stderr.isTTY && world.env['TERM'] !== 'dumb';
}

/** Chalk costs more than everything else here, so it is loaded only where something is coloured. */
async function painter(options: TellOptions, world: World): Promise<Paint> {
  if (!wantsColor(options, world)) return noPaint;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  const styles: Record<Style, (text: string) => string> = {
    allow: chalk.green,
    deny: chalk.red,
    stop: chalk.red,
    ask: chalk.yellow,
    warn: chalk.yellow,
    dim: chalk.dim,
    bold: chalk.bold,
  };
  return (style, text) => styles[style](text);
}

/** @returns what tells people; nothing is written before it is asked to. */
export function createTeller(options: TellOptions, world: World, mask: Mask): Teller {
  return {
    async report(whole, advice) {
      // Masked before anything is cut: half a secret would not look like one.
      const decision = mask.data(told(whole));
      const paint = await painter(options, world);
      const lines = decision.error === undefined ? [] : [errorLine(decision.error, paint)];
      if (!options.quiet) lines.push(...detailLines(decision, options.verbose, paint));
      if (decision.error === undefined && (!options.quiet || decision.cause === 'untrusted'))
        lines.push(closingLine(decision, paint));
      if (decision.cause === 'untrusted') lines.push(`  ${plain(decision.reason ?? '')}`);
      const more = advice ?? howToTrust(decision);
      if (more !== undefined) lines.push(paint('dim', `  ${plain(mask.text(more))}`));
      if (lines.length > 0) await world.stderr.write(bounded(lines));
    },
    live: options.quiet || !world.stderr.isTTY ? silentLine : createLiveLine(world, mask),
  };
}

/** What of a decision is told at all: the rest may be large, and masking it would be for nothing. */
function told({ native: _native, effects: _effects, message: _message, ...decision }: Decision): Decision {
  const hooks = decision.hooks?.map(({ output: _output, ...hook }) => hook);
  return hooks === undefined ? decision : { ...decision, hooks };
}

/**
 * As much as a pipe holds even when nobody reads it: a caller that reads stdout to its end first would else wait for us while we wait for
 * it. Nobody reads more than that anyway.
 */
const stderrBytes = 60_000;

function bounded(lines: readonly string[]): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    if (Buffer.byteLength(text) + Buffer.byteLength(line) > stderrBytes)
      return `${text}… and ${lines.length - index} more lines (stdout has it all)\n`;
    text += `${line}\n`;
  }
  return text;
}

/** Where it is, as far as the message does not say so itself. */
function where(place: Partial<Place>, message = ''): string {
  const file = place.path === undefined || message.includes(place.path) ? '' : plain(place.path);
  const line = place.line === undefined ? '' : `:${place.line}${place.column === undefined ? '' : `:${place.column}`}`;
  const isSaid = place.key === undefined || message.includes(place.key);
  const key = isSaid ? '' : `${file === '' ? '' : ' '}${plain(place.key!)}`;
  return `${file}${file === '' ? '' : line}${key}`;
}

function errorLine(error: ErrorResult, paint: Paint): string {
  const place = where(error, error.message);
  return `${paint('deny', 'hookrun:')} ${place === '' ? '' : `${place}: `}${plain(error.message)} ${paint('dim', `[${error.code}]`)}`;
}

function warningLine(warning: WarningResult, paint: Paint): string {
  const place = where(warning, warning.message);
  return `${paint('warn', 'warning')} ${paint('dim', `[${warning.code}]`)} ${place === '' ? '' : `${place}: `}${plain(warning.message)}`;
}

/** What to do about a folder that is not trusted: after a refusal, and after a dry run of what would be refused. */
function howToTrust(decision: Decision): string | undefined {
  const trust = 'hookrun trust trusts it as it is now; --trust or HOOKRUN_TRUST=1 for one run';
  if (decision.cause === 'untrusted') return `hookrun trust --diff shows what it brings along; ${trust}`;
  return (decision.warnings ?? []).some(({ code }) => code.startsWith('untrusted') && code !== 'untrusted-left-out')
    ? trust
    : undefined;
}

/** What became of each hook, why others did not run, and what else is worth knowing. */
function detailLines(decision: Decision, verbose: boolean, paint: Paint): string[] {
  const showsAll = verbose || decision.dryRun === true;
  const lines = (decision.hooks ?? []).flatMap((hook) => hookLines(hook, verbose, paint));
  for (const { event, hooks } of decision.followed ?? [])
    for (const hook of hooks) {
      const [first, ...rest] = hookLines(hook, verbose, paint);
      lines.push(`${first} ${paint('dim', `(then: ${event.name})`)}`, ...rest);
    }
  for (const { name, why, detail } of decision.skipped ?? [])
    if (showsAll || why === 'untrusted' || why === 'switched-off' || why === 'invalid')
      lines.push(paint('dim', `- ${plain(name)}: ${why} (${plain(detail)})`));
  return [...lines, ...(decision.warnings ?? []).map((warning) => warningLine(warning, paint))];
}

const marks: Readonly<Record<string, string>> = { allow: '✓', deny: '✗', stop: '■', ask: '?', 'no-decision': '!' };

function hookLines(hook: HookResult, verbose: boolean, paint: Paint): string[] {
  if (hook.verdict === undefined) {
    const line = `${paint('bold', '·')} ${plain(hook.name)} ${paint('dim', `would run: ${cut(plain(hook.command), 160)}`)}`;
    return [line, paint('dim', `    ${where(hook.source)}`)];
  }
  const style: Style = hook.verdict === 'no-decision' ? 'warn' : hook.verdict;
  const counted = hook.counted === undefined ? '' : ` (counts as ${hook.counted})`;
  const reason = hook.reason === undefined ? '' : `: ${cut(plain(hook.reason), 300)}`;
  const head = `${paint(style, `${marks[hook.verdict]} ${hook.verdict}`)}${counted} ${plain(hook.name)} ${paint('dim', `${Math.round(hook.durationMs ?? 0)} ms`)}${reason}`;
  if (!verbose) return [head];
  const lines = [head, paint('dim', `    ${where(hook.source)} ${cut(plain(hook.command), 300)}`)];
  for (const stream of ['stdout', 'stderr'] as const) {
    const text = hook[stream] ?? '';
    for (const line of text
      .split('\n')
      .filter((one) => one.trim() !== '')
      .slice(0, 40))
      lines.push(paint('dim', `    ${stream}: ${cut(plain(line), 300)}`));
  }
  return lines;
}

function closingLine(decision: Decision, paint: Paint): string {
  const event =
    decision.event === undefined
      ? ''
      : ` ${decision.event.name}${decision.event.target ? ` ${plain(cut(decision.event.target, 60))}` : ''}`;
  if (decision.dryRun === true) {
    const count = decision.hooks?.length ?? 0;
    return paint(
      'bold',
      `dry run:${event}: ${count === 1 ? '1 hook' : `${count} hooks`} would run${count > 1 ? `, ${decision.mode}` : ''}; nothing was started`,
    );
  }
  const ruling = decision.decision ?? 'none';
  // An allow that rests on a failure is not a green one.
  const isSure = decision.decision !== null && !(decision.decision === 'allow' && decision.cause !== undefined);
  const style: Style = isSure ? decision.decision! : 'warn';
  const by = decision.decidedBy === undefined ? '' : ` by ${plain(decision.decidedBy.join(', '))}`;
  const cause = decision.cause === undefined ? '' : ` (${decision.cause})`;
  const none = decision.hooks?.length === 0 && decision.cause === undefined ? ' (no hook ran)' : '';
  return `${paint(style, ruling)}${event}${by}${cause}${none}`;
}

const silentLine: LiveLine = { started() {}, ended() {}, stop() {} };

/** How long hooks may run before people are told, and how often the line changes, in ms. */
const liveAfterMs = 1000;
const liveEveryMs = 200;

function createLiveLine(world: World, mask: Mask): LiveLine {
  const running = new Map<Hook, number>();
  let began = 0;
  let drawn = false;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    if (drawn) void world.stderr.write('\r\u001b[2K');
    drawn = false;
  };
  const draw = (): void => {
    const seconds = Math.round((nowMs() - began) / 1000);
    const names = [...running.keys()].map((hook) => plain(mask.text(hook.name))).join(', ');
    clear();
    void world.stderr.write(
      cut(`… ${running.size} still running after ${seconds} s: ${names}`, Math.max(20, world.stderr.columns - 1)),
    );
    drawn = true;
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    clear();
  };
  const tick = (): void => {
    draw();
    timer = setTimeout(tick, liveEveryMs);
  };
  return {
    started(hook) {
      if (running.size === 0 && began === 0) began = nowMs();
      running.set(hook, nowMs());
      timer ??= setTimeout(tick, liveAfterMs);
    },
    ended(hook) {
      running.delete(hook);
      if (running.size === 0) stop();
    },
    stop,
  };
}
