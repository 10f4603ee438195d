import { join } from 'node:path';
import type { FormatEntry } from '../format.ts';
import { recogniseBy } from '../recognise.ts';

const events = [
  'SessionStart',
  'SessionEnd',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'BeforeTool',
  'AfterTool',
  'PreCompress',
  'Notification',
];

/** Fields that Gemini CLI sends with every event and no other agent does. */
const ownFields = ['transcript_path', 'timestamp', 'llm_request', 'prompt_response', 'mcp_context'];

/** Gemini CLI, as far as every start of hookrun needs to know it. */
export const gemini: FormatEntry = {
  name: 'gemini',
  title: 'Gemini CLI',
  events,
  foreignEvents: {
    pretooluse: 'BeforeTool',
    posttooluse: 'AfterTool',
    posttoolusefailure: 'AfterTool',
    userpromptsubmit: 'BeforeAgent',
    stop: 'AfterAgent',
    subagentstop: 'AfterAgent',
    precompact: 'PreCompress',
    permissionrequest: 'Notification',
  },
  eventField: 'hook_event_name',
  folderField: 'cwd',
  recognise: recogniseBy('hook_event_name', events, ownFields),
  configs: ({ project, home, fs }) =>
    [join(project, '.gemini', 'settings.json'), join(home, '.gemini', 'settings.json')].filter(
      (path) => fs.info(path) !== undefined,
    ),
  load: async () => (await import('./index.ts')).format,
};
