/** What one run of a goose hook says; pure. Never throws, whatever the bytes. */

import { leadingObject } from '../../leading-object.ts';
import type { Problem } from '../../problems.ts';
import { readsLikeShellFailure } from '../../shell-failure.ts';
import type { Failure, HookEvent, HookRun, Verdict } from '../../types.ts';
import { say as sayStage } from '../../words.ts';
import { formalAnswer, informalBlock, type Printed, readPrinted } from './answer.ts';
import type { GooseHook } from './detail.ts';
import { foreignAnswer } from './foreign.ts';
import { failures, type GooseReading, orDefault, pipeBytes, readAsEngine } from './reading.ts';
import { trim } from './rust-text.ts';
import { say } from './words.ts';

type GooseVerdict = Verdict<GooseReading>;

/** @returns the verdict of a run of this hook, with the engine's own reading beside it. */
export function judge(run: HookRun, hook: GooseHook, event: HookEvent): GooseVerdict {
  const printed = readPrinted(run.stdout);
  const reading = readAsEngine(run, printed);
  const onFailure = hook.detail.onFailure === 'block' && event.name === 'PreToolUse' ? ('block' as const) : undefined;
  const stated = statedDenial(run, printed, reading) ?? statedFirst(run, printed);
  const place = { path: hook.source.path, key: hook.source.key };
  const base = { onFailure, reading, ...shownOutput(printed, event) };
  if (stated !== undefined) {
    const isShell = codeOf(run) === 2 && readsLikeShellFailure(run.stderr.toString('utf8'));
    const problems = isShell ? [sayStage('exit-2-by-shell', place, hook.name)] : [];
    return { kind: 'deny', reason: stated.reason, differs: stated.differs, ...base, problems };
  }
  const problems = foreignProblems(printed, place);
  const failure = event.canBlock ? failureOf(run, reading, event) : plainFailure(run);
  if (failure === undefined) return { kind: 'allow', ...base, problems };
  if (failure.kind !== 'undelivered') return { kind: 'no-decision', failure, ...base, problems };
  const unread = say('goose-unread-payload', place, String(run.unread), onFailure ?? '');
  const differs = reading.says === 'failure' ? [] : ['goose-undelivered'];
  return { kind: 'no-decision', failure, differs, ...base, problems: [...problems, unread] };
}

interface Stated {
  readonly reason: string;
  readonly differs: readonly string[];
}

/** A denial that the hook managed to state, whatever else became of it (design, "Fidelity"). */
function statedDenial(run: HookRun, printed: Printed, reading: GooseReading): Stated | undefined {
  if (reading.says === 'deny') return { reason: reading.reason, differs: [] };
  if (run.exit.kind === 'not-started') return undefined;
  const isCut = run.exit.kind === 'timed-out' || run.exit.kind === 'output-limit';
  const lost = isCut ? ['goose-lost-deny'] : [];
  if (codeOf(run) === 2) return { reason: orDefault(trim(run.stderr.toString('utf8'))), differs: lost };
  if (!printed.isUtf8) return undefined;
  const block = blockIn(printed);
  return block === undefined ? undefined : { reason: block.reason, differs: [...lost, ...block.differs] };
}

/** A printed block, one that goose loses for a formality too. */
function blockIn(printed: Printed): Stated | undefined {
  const formal = formalAnswer(printed);
  if (formal !== undefined)
    return formal.decision === 'block' ? { reason: orDefault(formal.reason), differs: [] } : undefined;
  const block = informalBlock(printed);
  return block === undefined ? undefined : { reason: orDefault(block.reason), differs: ['goose-formality'] };
}

/**
 * A block with which the output begins, where something else may have written to it as well, or gone on writing when the hook was done.
 * The early output alone does not tell: a background process may have written before the hook ended.
 */
function statedFirst({ exit, held, early }: HookRun, { text, isUtf8 }: Printed): Stated | undefined {
  if (!held && early === undefined && exit.kind !== 'timed-out' && exit.kind !== 'output-limit') return undefined;
  const piece = leadingObject(text);
  // What follows may be cut within a character; the block itself must be sound.
  if (piece === undefined || (!isUtf8 && piece.includes('\uFFFD'))) return undefined;
  const block = blockIn(readPrinted(Buffer.from(piece)));
  return block === undefined ? undefined : { reason: block.reason, differs: ['goose-lost-deny', ...block.differs] };
}

const codeOf = ({ exit }: HookRun): number | undefined => ('code' in exit ? exit.code : undefined);

/** Why the hook did not decide, on an event that can block; undefined where it allowed. */
function failureOf(run: HookRun, reading: GooseReading, event: HookEvent): Failure | undefined {
  const ended = endFailure(run);
  if (ended !== undefined) return ended;
  // Known exactly, so that the answer is not a matter of luck: more than a pipe holds must be read whole (goose, "Reading one run", 5).
  const isLong = event.text.length > pipeBytes || Buffer.byteLength(event.text) > pipeBytes;
  if (isLong && (run.unread ?? 0) > 0) return { kind: 'undelivered', text: failures.undelivered };
  if (reading.says !== 'failure') return undefined;
  if (run.exit.kind === 'signalled') return { kind: 'signalled', text: reading.reason };
  const isExitCode = codeOf(run) !== 0 && reading.reason !== failures.notUtf8;
  return { kind: isExitCode ? 'exit-code' : 'broken-output', text: reading.reason };
}

/** On the ten events that can't block, only the way a hook ends can be a failure (goose corner 37). */
function plainFailure(run: HookRun): Failure | undefined {
  const ended = endFailure(run);
  if (ended !== undefined) return ended;
  if (run.exit.kind === 'signalled') return { kind: 'signalled', text: failures.signal };
  const code = codeOf(run) ?? 0;
  return code === 0 ? undefined : { kind: 'exit-code', text: failures.status(code) };
}

function endFailure({ exit }: HookRun): Failure | undefined {
  switch (exit.kind) {
    case 'not-started':
    case 'timed-out':
    case 'output-limit':
      return { kind: exit.kind, text: failures.notRun };
    default:
      return undefined;
  }
}

function shownOutput({ value }: Printed, event: HookEvent): { output?: unknown } {
  return value !== undefined && (event.canBlock || event.name === 'SessionStart') ? { output: value } : {};
}

/** Answers in another agent's way: what was meant as a denial and is none. */
function foreignProblems({ value }: Printed, place: { path: string; key: string }): Problem[] {
  const what = value === undefined ? undefined : foreignAnswer(value);
  return what === undefined ? [] : [say('goose-foreign-dialect', place, what)];
}
