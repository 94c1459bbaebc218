import { describe, expect, it } from 'vitest';
import { problemOf } from './command-problems.js';
import { commandsIn, pages } from './pages.js';
import { notRun, slow } from './runs.js';
import { commandsOfScript } from './shell-words.js';

/** Commands that the tables cannot judge, and why they are right. */
const exceptions: Readonly<Record<string, string>> = {
  'claude --resume <sessionId>': 'Claude Code itself: needs a terminal and an account',
  'claude -p': 'Claude Code itself: named for comparison',
  'claude mcp add --scope user --transport http claude-code <url> --header Authorization: Bearer <token>':
    'Claude Code itself: the service prints it with its own values',
  'claude mcp list': 'Claude Code itself',
  'claude mcp serve': 'Claude Code itself: named for comparison',
  'claude plugin install': 'Claude Code itself: needs the marketplace on the network',
  'claude plugin install delegated-sessions@claude-code-mcp':
    'Claude Code itself: needs the marketplace on the network',
  'claude plugin marketplace add claude-code-mcp/claude-code-mcp': 'Claude Code itself: needs the network',
  'claude update': 'Claude Code itself: needs the network',
  'docker compose up --build': 'needs Docker and the network',
  'docker compose up --build --detach': 'needs Docker and the network',
  'install -d -m 700 -o alice -g alice /srv/alice': 'a program of the system: needs root and a user',
  'jq -cj select(.message.content?) | .message.content[] | select(.id? == "toolu_…") | .input session.jsonl':
    'a program of the system',
  'node /opt/server.js': 'a server of the reader',
  'npx some-mcp': 'a server of the reader',
  'npx vitest run test/path/file.test.ts': 'stands for any test file',
  'npx x': 'a program of the reader',
  sha256sum: 'a program of the system',
  'tail -20': 'a program of the system',
};

describe('the commands in the documentation', () => {
  const commands = pages
    .flatMap(commandsIn)
    .map(({ page, words }) => ({ page, text: words.join(' '), problem: problemOf(words) }));

  it('exist, with their flags and values', () => {
    const wrong = commands.filter(({ text, problem }) => problem !== undefined && !(text in exceptions));

    expect(wrong).toEqual([]);
    expect(commands.length).toBeGreaterThan(100);
  });

  it('include every exception', () => {
    const texts = new Set(commands.map(({ text }) => text));

    expect(Object.keys(exceptions).filter((text) => !texts.has(text))).toEqual([]);
  });
});

it('every command that no test runs stands in the documentation, as does every slow command', () => {
  const texts = new Set(pages.flatMap(commandsIn).map(({ words }) => words.join(' ')));

  expect([...Object.keys(notRun), ...slow].filter((text) => !texts.has(text))).toEqual([]);
});

it.each([
  ['claude-code-mcp instal', 'did you mean install?'],
  ['claude-code-mcp serve --prot 1', 'did you mean --port?'],
  ['claude-code-mcp --approvals everyone', '--approvals=everyone'],
  ['node dist/claude-code-mcp.js token', 'needs another word'],
  ['npx -y mcp-server-claude-code sessions --yes', 'flag of another command'],
  ['claude mcp add a -- npx -y mcp-server-claude-code open it', 'is not an argument of open'],
  ['npm run tests', 'run tests is neither'],
  ['export CLAUDE_CODE_MCP_APPROVAL=human', 'CLAUDE_CODE_MCP_APPROVAL is not a setting'],
  ['npx tsx examples/none.ts', 'examples/none.ts does not exist'],
])('finds the mistake in %s', (script, problem) => {
  const [words = []] = commandsOfScript(script);

  expect(problemOf(words)).toContain(problem);
});

it('reads the words of a shell', () => {
  const script = `a "b c" 'd|e' --f=g \\\n  h\\ i # j\n\nk && l | m; n 2>&1`;

  expect(commandsOfScript(script)).toEqual([
    ['a', 'b c', 'd|e', '--f=g', 'h i'],
    ['k'],
    ['l'],
    ['m'],
    ['n', '2>&1'],
  ]);
});
