// What is measured: projects with their hooks, and the payloads for them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const hook = (name, command) => ({ type: 'command', name, command });

/** One matching no-op hook. */
const one = [{ matcher: 'write_.*', hooks: [hook('noop', 'true')] }];

const many = (count, command) => [
  { hooks: Array.from({ length: count }, (_, index) => hook(`h${index}`, `${command} # ${index}`)) },
];

const definitions = {
  one,
  slow: [{ hooks: [hook('slow', 'sleep 0.05')] }],
  twenty: many(20, 'sleep 0.05;'),
  twentyInSequence: many(20, 'true;').map((definition) => ({ ...definition, sequential: true })),
  // 10,000 configured hooks, of which the last one matches.
  tenThousand: [
    ...Array.from({ length: 9999 }, (_, index) => ({ matcher: `tool_${index}`, hooks: [hook(`h${index}`, 'true')] })),
    ...one,
  ],
};

/** Writes all projects below a folder. Returns where each is. */
export function writeScenes(root) {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, BeforeTool]) => {
      const project = join(root, name);
      const settings = join(project, '.gemini', 'settings.json');
      mkdirSync(dirname(settings), { recursive: true });
      writeFileSync(settings, JSON.stringify({ hooks: { BeforeTool } }));
      return [name, { project, settings }];
    }),
  );
}

/** A payload of Gemini CLI. */
export const payloadOf = (project, tool = 'write_file', content = 'hi') =>
  JSON.stringify({
    session_id: 'bench',
    transcript_path: '',
    cwd: project,
    hook_event_name: 'BeforeTool',
    timestamp: '2026-01-02T03:04:05.678Z',
    tool_name: tool,
    tool_input: { file_path: 'a.txt', content },
  });
