import type { FormatEntry } from '../format.ts';
import { recogniseBy } from '../recognise.ts';
import { eventKinds } from './events.ts';
import { placesOf } from './places.ts';

const events = Object.keys(eventKinds);

/** Fields that goose sends and no other agent does. */
const ownFields = ['matcher_context', 'working_dir', 'last_assistant_message', 'policy_evaluated', 'blocked_by'];

/** goose, as far as every start of hookrun needs to know it. */
export const goose: FormatEntry = {
  name: 'goose',
  title: 'goose',
  events,
  foreignEvents: {
    beforetool: 'PreToolUse',
    aftertool: 'PostToolUse',
    beforeagent: 'UserPromptSubmit',
    afteragent: 'Stop',
    subagentstop: 'Stop',
  },
  eventField: 'event',
  folderField: 'working_dir',
  recognise: recogniseBy('event', events, ownFields),
  configs(where) {
    if (where.explicit.length > 0) return where.explicit.filter((path) => path.endsWith('hooks.json'));
    const { projectPlugins, userPlugins } = placesOf(where);
    return [projectPlugins, userPlugins].filter((path) => where.fs.info(path)?.kind === 'folder');
  },
  load: async () => (await import('./index.ts')).format,
};
