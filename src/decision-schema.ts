/**
 * The result document, described once: the types come from this schema, and so does the published JSON Schema (scripts/build.mjs
 * writes it). It is never loaded by a run: only its types are.
 */

import { z } from 'zod';

export const rulingSchema = z.enum(['allow', 'deny', 'ask', 'stop']);

export const exitSchema = z
  .object({
    kind: z.enum(['exited', 'signalled', 'timed-out', 'not-started', 'output-limit']),
    code: z.int().optional().describe('exit code, where the process had one'),
    signal: z.string().optional().describe('the signal it died of'),
    why: z.string().optional().describe('what kept it from starting, or what ended it'),
  })
  .describe("how the hook's process ended");

export const sourceSchema = z.object({
  scope: z.string(),
  path: z.string(),
  key: z.string().optional(),
  line: z.int().optional(),
});

export const hookResultSchema = z.object({
  name: z.string(),
  source: sourceSchema,
  command: z.string().describe('as the shell was given it'),
  cwd: z.string().optional().describe('the working folder; in a dry run only'),
  matcher: z.string().optional(),
  timeoutMs: z.number().optional(),
  verdict: z.enum(['allow', 'deny', 'ask', 'stop', 'no-decision']).optional().describe('absent in a dry run'),
  failure: z
    .enum(['timed-out', 'signalled', 'not-started', 'output-limit', 'exit-code', 'broken-output', 'undelivered'])
    .optional()
    .describe('why the hook could not decide'),
  counted: rulingSchema
    .optional()
    .describe('what the verdict counted as, where --on-failure or the hook made something else of it'),
  exit: exitSchema,
  reason: z.string().optional(),
  durationMs: z.number().optional(),
  stdout: z.string().optional().describe('up to 64 KiB, secrets masked'),
  stderr: z.string().optional().describe('up to 64 KiB, secrets masked'),
  truncated: z.boolean().optional(),
  output: z.unknown().optional().describe('the parsed output'),
  strippedEnv: z.array(z.string()).optional().describe('names of variables that were kept from the hook'),
});

export const skippedSchema = z.object({
  name: z.string(),
  source: sourceSchema.optional(),
  why: z.enum([
    'disabled',
    'untrusted',
    'duplicate',
    'not-selected',
    'chain-ended',
    'invalid',
    'shadowed',
    'switched-off',
    'matcher',
  ]),
  detail: z.string(),
});

export const warningSchema = z.object({
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
  key: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});

export const effectsSchema = z.object({
  toolInput: z.unknown().optional(),
  additionalContext: z.string().optional(),
  systemMessage: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  llmRequest: z.unknown().optional(),
  llmResponse: z.unknown().optional(),
  toolConfig: z.unknown().optional(),
  clearContext: z.boolean().optional(),
  tailToolCall: z.unknown().optional(),
  appendedContext: z.string().optional(),
  banners: z.array(z.string()).optional(),
});

export const errorSchema = z.object({
  code: z.string(),
  exit: z.int(),
  message: z.string(),
  path: z.string().optional(),
  key: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});

const eventSchema = z.object({
  format: z.string(),
  name: z.string(),
  target: z.string().nullable(),
  canBlock: z.boolean(),
});

export const followedSchema = z
  .object({
    event: eventSchema,
    mode: z.enum(['parallel', 'sequential']),
    hooks: z.array(hookResultSchema),
    skipped: z.array(skippedSchema),
    unmatched: z.int(),
    native: z.unknown().optional(),
  })
  .describe('an event that followed from the main one; it changes nothing about the decision');

export const decisionSchema = z
  .object({
    schemaVersion: z.literal(1),
    id: z.int().optional().describe('in a stream: the number of the line that this answers'),
    dryRun: z.literal(true).optional(),
    decision: rulingSchema.nullable().describe('null in a dry run and on an error'),
    reason: z.string().optional(),
    cause: z.enum(['policy_denial', 'hook_failure', 'untrusted', 'no_match']).optional(),
    decidedBy: z.array(z.string()).optional(),
    message: z.string().optional().describe("what the agent would tell its model or user, in the agent's words"),
    event: eventSchema.optional(),
    effects: effectsSchema.optional(),
    mode: z.enum(['parallel', 'sequential']).optional(),
    hooks: z.array(hookResultSchema).optional(),
    skipped: z.array(skippedSchema).optional(),
    unmatched: z.int().optional().describe('hooks of this event whose matcher did not match'),
    followed: z.array(followedSchema).optional(),
    native: z.unknown().optional().describe("what the agent's own engine makes of these runs"),
    engine: z.object({ name: z.string(), version: z.string(), decision: rulingSchema.optional() }).optional(),
    warnings: z.array(warningSchema).optional(),
    durationMs: z.number().optional(),
    error: errorSchema.optional(),
  })
  .describe('the result of one hookrun run');

export type Decision = z.infer<typeof decisionSchema>;
export type FollowedResult = z.infer<typeof followedSchema>;
export type HookResult = z.infer<typeof hookResultSchema>;
export type SkippedResult = z.infer<typeof skippedSchema>;
export type WarningResult = z.infer<typeof warningSchema>;
export type ErrorResult = z.infer<typeof errorSchema>;
