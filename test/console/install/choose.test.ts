import { expect, it } from 'vitest';
import { chosen, menuText, namedClients } from '../../../src/console/install/choose.js';

const candidates = [
  { id: 'cursor', file: '/h/.cursor/mcp.json', text: '{}' },
  {
    id: 'claude-code',
    file: '/h/.claude.json',
    text: '{"mcpServers": {"x": {"command": "claude-code-mcp"}}}',
  },
  { id: 'zed', file: '/h/zed.json', text: '{' },
  { id: 'gemini', file: '/h/g.json', text: undefined, isRefused: true },
] as const;

it('lists the clients with their states', () => {
  expect(menuText(candidates, { paint: (_color, text) => text, home: '/h' })).toBe(`Clients on this machine:
   1  Cursor       not configured  ~/.cursor/mcp.json
   2  Claude Code  configured      ~/.claude.json
   3  Zed          broken file     ~/zed.json
   4  Gemini CLI   not editable    ~/g.json
`);
});

it.each([
  ['all', ['cursor', 'claude-code', 'zed', 'gemini']],
  ['1, 3', ['cursor', 'zed']],
  ['zed 1 zed', ['zed', 'cursor']],
  ['Codex', ['codex']],
  ['', []],
])('understands the answer %j', (answer, ids) => {
  expect(chosen(answer, candidates)).toEqual(ids);
});

it('knows other names of clients, and guesses what was meant', () => {
  expect(namedClients(['claude', 'code', 'gemini-cli'])).toEqual(['claude-code', 'vscode', 'gemini']);
  expect(() => namedClients(['cusor'])).toThrow('cusor is not a known client: did you mean cursor?');
  expect(() => namedClients(['emacs'])).toThrow('emacs is not a known client. Known: claude-code, ');
});
