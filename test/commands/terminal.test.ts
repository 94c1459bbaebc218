import { expect, it } from 'vitest';
import { commandLine, greeting } from '../../src/commands/terminal.js';

it.each([
  ['/home/me/.npm/_npx/1a/node_modules/.bin/mcp-server-claude-code', 'npx -y mcp-server-claude-code'],
  ['/usr/local/bin/claude-code-mcp', 'claude-code-mcp'],
  ['/srv/dist/claude-code-mcp.js', 'node /srv/dist/claude-code-mcp.js'],
])('names the command of %s as a person would type it', (program, command) => {
  expect(commandLine(program)).toBe(command);
});

it('says what the server waits for, and what to run instead', () => {
  const text = greeting('1.2.3', 'claude-code-mcp');

  expect(text).toMatch(/^claude-code-mcp 1\.2\.3 is waiting for an MCP client\..*Ctrl-C\.\n\n/);
  expect([...text.matchAll(/ {2}claude-code-mcp (\S+)\n/g)].map(([, word]) => word)).toEqual([
    'install',
    'doctor',
    'open',
    '--help',
  ]);
});
