import type { FormatEntry } from '../../../src/formats/format.ts';

/** An agent that does not exist: its hooks are lines `<Event> <command>` in one file, exit 9 denies, and that is all. */
export const madeUp: FormatEntry = {
  name: 'made-up',
  title: 'the made-up agent',
  events: ['Before', 'After'],
  foreignEvents: {},
  eventField: 'made_up_event',
  folderField: 'folder',
  recognise: (payload) =>
    typeof payload['made_up_event'] === 'string' ? { score: 2, seen: 'made_up_event' } : { score: 0, seen: '' },
  configs: () => [],
  load: async () => (await import('./index.ts')).format,
};
