/** Names of tools that matchers were written for elsewhere: the older kimi-cli, and other agents. */

/** Kimi Code's own tools; MCP tools are called `mcp__<server>__<tool>`. */
export const kimiTools = [
  'Bash',
  'Read',
  'Write',
  'Edit',
  'Grep',
  'Glob',
  'Agent',
  'TodoList',
  'FetchURL',
  'WebSearch',
  'WaitFor',
];

const foreign: ReadonlyMap<string, string> = new Map([
  // The older kimi-cli, in Python.
  ['Shell', 'Bash'],
  ['ReadFile', 'Read'],
  ['WriteFile', 'Write'],
  ['StrReplaceFile', 'Edit'],
  ['SetTodoList', 'TodoList'],
  ['SearchWeb', 'WebSearch'],
  // Claude Code.
  ['MultiEdit', 'Edit'],
  ['WebFetch', 'FetchURL'],
  ['TodoWrite', 'TodoList'],
  ['Task', 'Agent'],
  // Gemini CLI.
  ['run_shell_command', 'Bash'],
  ['read_file', 'Read'],
  ['read_many_files', 'Read'],
  ['write_file', 'Write'],
  ['replace', 'Edit'],
  ['glob', 'Glob'],
  ['list_directory', 'Glob'],
  ['search_file_content', 'Grep'],
  ['grep_search', 'Grep'],
  ['web_fetch', 'FetchURL'],
  ['google_web_search', 'WebSearch'],
  ['write_todos', 'TodoList'],
  // goose and others.
  ['developer__shell', 'Bash'],
  ['developer__text_editor', 'Edit'],
  ['shell', 'Bash'],
  ['text_editor', 'Edit'],
  ['apply_patch', 'Edit'],
  // Matchers are case-sensitive.
  ...kimiTools.map((name) => [name.toLowerCase(), name] as const),
]);

/** The first name in a matcher that belongs to another agent's tool, and what Kimi Code calls it. */
export function foreignTool(matcher: string): { name: string; meant: string } | undefined {
  for (const name of matcher.split(/[^A-Za-z0-9_]+/)) {
    const meant = foreign.get(name);
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}
