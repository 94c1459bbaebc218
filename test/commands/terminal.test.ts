import { expect, it } from 'vitest';
import { greeting } from '../../src/commands/terminal.js';

it('says what the server waits for, and what to run instead', () => {
  const text = greeting('1.2.3', 'claude-code-mcp');

  expect(text).toMatch(/^claude-code-mcp 1\.2\.3 is waiting for an MCP client\.\n.*Ctrl-C\.\n\n/);
  expect([...text.matchAll(/ {2}claude-code-mcp (\S+)\n/g)].map(([, word]) => word)).toEqual([
    'install',
    'doctor',
    'open',
    '--help',
  ]);
});
