/** Which files of a project a command names. */

import { describe, expect, it } from 'vitest';
import { scriptFiles } from '../../src/script-files.ts';
import { type Entry, memoryFs } from '../helpers/memory-fs.ts';

const project = '/work/my app';
const files: Record<string, Entry> = {
  [`${project}/x.sh`]: 'x',
  [`${project}/run.py`]: 'py',
  [`${project}/hooks/guard.sh`]: 'guard',
  [`${project}/hooks/my guard.sh`]: 'with a space',
  [`${project}/hooks/lib.mjs`]: 'lib',
  [`${project}/hooks/g.awk`]: 'awk',
  [`${project}/hooks/run.py`]: 'module',
  [`${project}/hooks/tee`]: 'a script of that name',
  [`${project}/lib/Guard.pm`]: 'perl',
  [`${project}/lib/pkg/__init__.py`]: 'package',
  [`${project}/lib/pkg/mod.py`]: 'module',
  [`${project}/x.rb`]: 'ruby',
  [`${project}/>hooks/run.sh`]: 'an odd name',
  [`${project}/hooks/pkg/__main__.py`]: 'main',
  [`${project}/.agents/plugins/p/run.sh`]: 'p',
  [`${project}/link.sh`]: { link: 'hooks/guard.sh' },
  [`${project}/linked`]: { link: 'hooks' },
  [`${project}/out.sh`]: { link: '../shared/out.sh' },
  [`${project}/far.sh`]: { link: '/work/shared/out.sh' },
  [`${project}/dangling.sh`]: { link: 'nowhere' },
  [`${project}/fifo`]: { unreadable: 'not-a-file' },
  '/work/shared/out.sh': 'out',
  '/usr/bin/tool': 'tool',
  '/elsewhere/into': { link: `${project}/x.sh` },
};
const folders = {
  GEMINI_PROJECT_DIR: project,
  PLUGIN_ROOT: `${project}/.agents/plugins/p`,
  extensionPath: `${project}/hooks`,
};

const found = (command: string, cwd = project, more: readonly string[] = []) =>
  scriptFiles({ texts: [command, ...more], folders, cwd }, project, memoryFs(files));
const named = (command: string, cwd?: string) => found(command, cwd).files.map(({ path }) => path);

describe('a command names', () => {
  it.each<[command: string, paths: readonly string[]]>([
    ['./x.sh', ['x.sh']],
    ['x.sh', ['x.sh']],
    ['bash x.sh --fast', ['x.sh']],
    ['bash -eu ./hooks/../x.sh', ['x.sh']],
    ['python3 run.py', ['run.py']],
    ['node hooks/lib.mjs', ['hooks/lib.mjs']],
    ['node hooks/lib', ['hooks/lib.mjs']],
    ['python3 -m hooks.pkg', ['hooks/pkg/__main__.py']],
    ['$GEMINI_PROJECT_DIR/hooks/guard.sh', ['hooks/guard.sh']],
    ['"$GEMINI_PROJECT_DIR/hooks/guard.sh"', ['hooks/guard.sh']],
    ['"$GEMINI_PROJECT_DIR"/hooks/guard.sh', ['hooks/guard.sh']],
    ['${GEMINI_PROJECT_DIR}/hooks/guard.sh', ['hooks/guard.sh']],
    ['"${GEMINI_PROJECT_DIR:-.}/hooks/guard.sh"', ['hooks/guard.sh']],
    ['${PLUGIN_ROOT}/run.sh', ['.agents/plugins/p/run.sh']],
    ['sh "$PLUGIN_ROOT/run.sh" x.sh', ['.agents/plugins/p/run.sh', 'x.sh']],
    ["node '${extensionPath}/lib.mjs'", ['hooks/lib.mjs']],
    ["bash 'hooks/my guard.sh'", ['hooks/my guard.sh']],
    ['bash hooks/my\\ guard.sh', ['hooks/my guard.sh']],
    // A word too many does no harm.
    ['bash hooks/"my guard".sh', ['hooks/guard.sh', 'hooks/my guard.sh']],
    ["sh -c './x.sh && python3 run.py'", ['run.py', 'x.sh']],
    [`sh -c "sh -c './x.sh'"`, ['x.sh']],
    ['cd hooks && ./guard.sh', ['hooks/guard.sh']],
    ['cd "$GEMINI_PROJECT_DIR/hooks"; exec ./guard.sh', ['hooks/guard.sh']],
    ['$(git rev-parse --show-toplevel)/hooks/guard.sh', ['hooks/guard.sh']],
    ['"`pwd`/hooks/guard.sh"', ['hooks/guard.sh']],
    ['$ROOT/hooks/guard.sh', ['hooks/guard.sh']],
    ['cat <x.sh | sh', ['x.sh']],
    ['[ -x x.sh ]&&./x.sh;true', ['x.sh']],
    ['env BASH_ENV=./x.sh bash -c true', ['x.sh']],
    ['node --require=./hooks/lib.mjs -e 1', ['hooks/lib.mjs']],
    [`node -e 'const f = () => require("./hooks/lib.mjs")'`, ['hooks/lib.mjs']],
    ['. ./x.sh\nhooks/guard.sh', ['hooks/guard.sh', 'x.sh']],
    [`${project.replace(' ', '\\ ')}/x.sh`, ['x.sh']],
    ['/elsewhere/into', ['x.sh']],
    ['./fifo', ['fifo']],
    // Attached to a short option, or to several.
    ['awk -fhooks/g.awk', ['hooks/g.awk']],
    ['sed -nfhooks/g.awk f', ['hooks/g.awk']],
    ['sed -n -f"$GEMINI_PROJECT_DIR/hooks/g.awk"', ['hooks/g.awk']],
    ['ruby -r./x.rb -e 1', ['x.rb']],
    ['ruby -r./x -e 1', ['x.rb']],
    ['perl -Ilib -MGuard -e 1', ['lib/Guard.pm']],
    ['perl -Ilib ./Guard.pm', ['lib/Guard.pm']],
    ['python3 -mhooks.run', ['hooks/run.py']],
    ['python3 -Imhooks.pkg', ['hooks/pkg/__main__.py']],
    ['python3 -m lib.pkg.mod', ['lib/pkg/__init__.py', 'lib/pkg/mod.py']],
    // No command, and no redirection.
    ['cd hooks && sh tee x.sh', ['hooks/tee', 'x.sh']],
    ['sh hooks/tee x.sh', ['hooks/tee', 'x.sh']],
    ['echo \\| tee x.sh', ['x.sh']],
    ['sh ">hooks/run.sh"', ['>hooks/run.sh']],
    ["sh '>hooks/run.sh'", ['>hooks/run.sh']],
    [`sh -c 'sh ">hooks/run.sh"'`, ['>hooks/run.sh']],
    ['sh "$GEMINI_PROJECT_DIR/>hooks/run.sh"', ['>hooks/run.sh']],
    // The shell's own folders.
    ['~+/hooks/guard.sh', ['hooks/guard.sh']],
    ['sh ~/work/app/hooks/guard.sh', ['hooks/guard.sh']],
    ['sh ~dev/hooks/guard.sh', ['hooks/guard.sh']],
    ['BASH_ENV=~/app/hooks/guard.sh bash -c true', ['hooks/guard.sh']],
    ['sh $HOME/work/app/hooks/guard.sh', ['hooks/guard.sh']],
    // What is not there, not inside, no file, or only written to.
    ['echo hi', []],
    ['/usr/bin/tool ../shared/out.sh', []],
    ['cd hooks', []],
    ['true >> x.sh', []],
    ['true 2>"$GEMINI_PROJECT_DIR/x.sh"', []],
    ['echo a | tee -a x.sh', []],
    ['echo a |\ttee x.sh; tee x.sh && (tee x.sh)\ntee x.sh', []],
    [`sh -c 'echo a | tee x.sh'`, []],
    [`sh -c 'echo a >> x.sh; tee x.sh'`, []],
    ['sh -c "echo a > $GEMINI_PROJECT_DIR/x.sh"', []],
    [`sh -c 'echo a > "$GEMINI_PROJECT_DIR/x.sh"'`, []],
    ['echo a > ~/work/app/x.sh', []],
    ['bash x.sh >> x.sh', ['x.sh']],
    ['', []],
    ["bash '", []],
    ['\0./x.sh\0', []],
  ])('%j: %j', (command, paths) => {
    expect(named(command)).toEqual(paths);
  });

  it('words of its own folder, of the project and of the folders it enters, wherever it starts', () => {
    expect(named('./guard.sh', `${project}/hooks`)).toEqual(['hooks/guard.sh']);
    expect(named('./x.sh', `${project}/hooks`)).toEqual(['x.sh']);
    expect(named('./guard.sh', '/elsewhere')).toEqual([]);
  });

  it('scripts that its own environment names', () => {
    expect(found('true', project, ['./hooks/guard.sh']).files).toMatchObject([{ path: 'hooks/guard.sh' }]);
  });

  it('links with where they lead: inside from the top, outside as written', () => {
    expect(found('./link.sh').files).toEqual([
      { path: 'link.sh', at: `${project}/link.sh`, link: 'hooks/guard.sh', isFile: true },
    ]);
    expect(found('linked/guard.sh').files).toMatchObject([{ path: 'linked/guard.sh', link: 'hooks/guard.sh' }]);
    expect(found('./out.sh').files).toMatchObject([{ path: 'out.sh', link: '../shared/out.sh' }]);
    expect(found('./far.sh').files).toMatchObject([{ path: 'far.sh', link: '/work/shared/out.sh' }]);
    expect(found('./dangling.sh').files).toEqual([]);
  });

  it('what may appear later', () => {
    expect(found('bash hooks/later.sh && "$GEMINI_PROJECT_DIR/new file.sh" && echo a/b.txt').missing).toEqual([
      'a/b.txt',
      'hooks/later.sh',
      'new file.sh',
    ]);
    expect(found('echo hi --flag https://example.com/a.sh /usr/lib/x.sh').missing).toEqual([]);
  });

  it('more than anybody can look at', () => {
    const many = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ');
    expect(found(many).tooMany).toBe(true);
    expect(found(`true ${'#'.repeat(300_000)}`).tooMany).toBe(true);
    expect(found('./x.sh').tooMany).toBe(false);
  });
});
