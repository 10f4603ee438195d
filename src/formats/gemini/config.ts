import { HookrunError } from '../../errors.ts';
import type { Problem } from '../../problems.ts';
import type { Config, ProjectClaims, Setup, Where } from '../format.ts';
import { claimsOf, dotEnvClaims } from './claims.ts';
import type { GeminiHook } from './detail.ts';
import { gemini } from './entry.ts';
import { readExtensions } from './extensions.ts';
import { type HookSource, readHooks, sourceOfExtension, sourceOfFile } from './hooks.ts';
import { lintEventNames, lintOtherEvents } from './lint.ts';
import { filesInOrder, readSettings } from './settings.ts';
import { expanderOf, readSwitches } from './switches.ts';
import { readTrust } from './trusted-folders.ts';

/** Reads all layers, once. See `Format.load`. */
export async function load(where: Where): Promise<Config> {
  const settings = await readSettings(where);
  const { trust, problems } = await readTrust(where, settings.own);
  const setup = (event: string, project: boolean): Setup => {
    const files = filesInOrder(settings, project);
    const on = readSwitches(files, where);
    const extensions = readExtensions(where, on.extensions, project);
    const sources: HookSource[] = [
      ...files.map((file) => sourceOfFile(file, expanderOf(file, on.redaction, where))),
      ...extensions.extensions.map(sourceOfExtension),
    ];
    const hooks: GeminiHook[] = [];
    const found: Problem[] = [...settings.problems, ...problems, ...extensions.problems];
    for (const source of sources) {
      const read = readHooks(source, event, on);
      // Not spread into push(): a file may hold more hooks than a call takes arguments.
      for (const hook of read.hooks) hooks.push(hook);
      for (const problem of read.problems) found.push(problem);
      for (const problem of lintEventNames(source.hooks, source.path, eventNames)) found.push(problem);
      for (const problem of lintOtherEvents(source.hooks, source.path, eventNames, event)) found.push(problem);
    }
    return { hooks, problems: found };
  };
  const project = (): ProjectClaims | undefined => {
    if (settings.project instanceof HookrunError) throw settings.project;
    const { hooks, switches }: ProjectClaims =
      settings.project === undefined ? { hooks: [], switches: [] } : claimsOf(settings.project, where);
    const dotEnv = settings.hasProject ? dotEnvClaims(where, readSwitches(filesInOrder(settings, true), where)) : [];
    return hooks.length + switches.length + dotEnv.length === 0
      ? undefined
      : { hooks, switches: [...switches, ...dotEnv] };
  };
  return { trust, setup, project };
}

const eventNames: ReadonlySet<string> = new Set(gemini.events);
