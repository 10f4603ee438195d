import type { FormatEntry } from '../format.ts';
import { recogniseBy } from '../recognise.ts';
import { configFile, installedFile, kimiHome } from './home.ts';

/** The 20 events of Kimi Code 2.1, in the order of its own list. */
const events = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionResult',
  'UserPromptSubmit',
  'UserPromptQueued',
  'TurnStarted',
  'Stop',
  'StopFailure',
  'Interrupt',
  'SessionStart',
  'SessionEnd',
  'SessionHeartbeat',
  'SubagentStart',
  'SubagentStop',
  'TaskStarted',
  'PreCompact',
  'PostCompact',
  'Notification',
];

/** Fields that Kimi Code sends and no other agent does. */
const ownFields = ['client_type', 'session_title', 'origin_kind', 'source_kind', 'uptime_ms'];

/** Kimi Code, as far as every start of hookrun needs to know it. */
export const kimi: FormatEntry = {
  name: 'kimi',
  title: 'Kimi Code',
  events,
  foreignEvents: {
    beforetool: 'PreToolUse',
    aftertool: 'PostToolUse',
    beforeagent: 'UserPromptSubmit',
    afteragent: 'Stop',
    precompress: 'PreCompact',
  },
  eventField: 'hook_event_name',
  folderField: 'cwd',
  recognise: recogniseBy('hook_event_name', events, ownFields),
  configs(where) {
    if (where.explicit.length > 0) return where.explicit.filter((path) => path.endsWith('.toml'));
    const home = kimiHome(where);
    return [configFile(home), installedFile(home)].filter((path) => where.fs.info(path) !== undefined);
  },
  load: async () => (await import('./index.ts')).format,
};
