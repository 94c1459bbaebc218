import { expect, it } from 'vitest';
import { asTyped, commandLine } from '../../src/commands/typed.js';

const cached = '/home/me/.npm/_npx/1a/node_modules/.bin/mcp-server-claude-code';

it.each([
  [
    'npx',
    cached,
    '/home/me/.npm/_npx/1a/node_modules/x/dist/claude-code-mcp.js',
    'npx -y mcp-server-claude-code',
  ],
  ['npx of a clone', cached, '/code/clone/dist/claude-code-mcp.js', 'npx .'],
  ['npx of a clone elsewhere', cached, '/srv/the clone/dist/claude-code-mcp.js', "npx '/srv/the clone'"],
  ['a link on the PATH', '/usr/local/bin/claude-code-mcp', '/srv/dist/claude-code-mcp.js', 'claude-code-mcp'],
  [
    'node in a clone',
    '/code/clone/dist/claude-code-mcp.js',
    '/code/clone/dist/claude-code-mcp.js',
    'node dist/claude-code-mcp.js',
  ],
  [
    'node elsewhere',
    '/srv/dist/claude-code-mcp.js',
    '/srv/dist/claude-code-mcp.js',
    'node /srv/dist/claude-code-mcp.js',
  ],
  [
    'node in a folder with a name that a shell would run',
    '/code/clone/$(touch x)/dist/claude-code-mcp.js',
    '/code/clone/$(touch x)/dist/claude-code-mcp.js',
    "node '$(touch x)/dist/claude-code-mcp.js'",
  ],
  [
    'node in a folder with a name that a terminal would act on',
    '/code/\u001b[2J/dist/claude-code-mcp.js',
    '/code/\u001b[2J/dist/claude-code-mcp.js',
    'claude-code-mcp',
  ],
])('names the command as a person has typed it: %s', (_how, program, target, command) => {
  expect(commandLine({ program, target, cwd: '/code/clone' })).toBe(command);
});

it('names it with an absolute path for a person who is elsewhere', () => {
  const program = '/code/clone/dist/claude-code-mcp.js';

  expect(commandLine({ program, target: program })).toBe(`node ${program}`);
});

it('replaces the name of the program only where it is a command', () => {
  const text =
    'claude-code-mcp serves MCP. Run claude-code-mcp serve stop, "claude-code-mcp open" or claude-code-mcp --help. See /srv/claude-code-mcp config and claude-code-mcp 1.2.';

  expect(asTyped(text, 'npx .')).toBe(
    'claude-code-mcp serves MCP. Run npx . serve stop, "npx . open" or npx . --help. See /srv/claude-code-mcp config and claude-code-mcp 1.2.',
  );
});
