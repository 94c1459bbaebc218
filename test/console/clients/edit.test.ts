import { describe, expect, it } from 'vitest';
import type { Launch } from '../../../src/console/clients/client.js';
import { withEntry, withoutEntry } from '../../../src/console/clients/edit.js';
import { stateOf } from '../../../src/console/clients/state.js';
import { clientIds, clients } from '../../../src/console/clients/table.js';
import { samples } from './samples.js';

const launch: Launch = { command: 'npx', args: ['-y', 'mcp-server-claude-code'] };

describe.each(clientIds)('the file of %s', (id) => {
  const client = clients[id];

  it.each(samples(client))('takes our entry and gives it back: %s', (_name, before) => {
    const after = withEntry(client, before, launch);

    expect({
      isConfigured: stateOf(client, after).kind === 'configured',
      again: withEntry(client, after, launch),
      isKept: isPartOf(before, after),
      restored: withoutEntry(client, after, before),
      edited: stateOf(client, withoutEntry(client, after)),
      isStillKept: isPartOf(before, withoutEntry(client, after)),
    }).toEqual({
      isConfigured: true,
      again: after,
      isKept: true,
      restored: before,
      edited: { kind: 'absent' },
      isStillKept: true,
    });
  });
});

/** Whether a text contains all characters of another in their order, apart from spaces and commas. */
function isPartOf(part: string, whole: string): boolean {
  let place = 0;
  return part
    .replaceAll(/[\s,]/g, '')
    .split('')
    .every((char) => {
      place = whole.indexOf(char, place) + 1;
      return place > 0;
    });
}

describe('an edit of JSON', () => {
  it('takes over the indentation, the trailing commas and the comments of the file', () => {
    const before = '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": {"command": "x"}, // first\n\t},\n}\n';

    expect(withEntry(clients.cursor, before, launch)).toBe(
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": {"command": "x"}, // first\n\t\t"claude-code": {\n\t\t\t"command": "npx",\n\t\t\t"args": ["-y", "mcp-server-claude-code"]\n\t\t},\n\t},\n}\n',
    );
  });

  it('removes an entry between others with its comma', () => {
    const before = '{"mcpServers": {"a": {}, "claude-code": {"command": "claude-code-mcp"}, "b": {}}}';

    expect(withoutEntry(clients.cursor, before)).toBe('{"mcpServers": {"a": {}, "b": {}}}');
  });

  it('changes only the command of an entry that a person has extended', () => {
    const before =
      '{"mcpServers": {"agents": {"command": "node", "args": ["/old/dist/claude-code-mcp.js"], /* 1 h */ "timeout": 3600}}}';

    expect(withEntry(clients.cursor, before, launch)).toBe(
      '{"mcpServers": {"agents": {"command": "npx", "args": ["-y", "mcp-server-claude-code"], /* 1 h */ "timeout": 3600}}}',
    );
  });

  it('keeps the arguments that a person has added', () => {
    const before =
      '{"mcpServers": {"claude-code": {"command": "node", "args": ["--no-warnings", "/old/dist/claude-code-mcp.js", "--max-sessions", "4"]}}}';

    const after = withEntry(clients.cursor, before, launch);

    expect({ after, again: withEntry(clients.cursor, after, launch) }).toEqual({
      after:
        '{"mcpServers": {"claude-code": {"command": "npx", "args": ["-y", "mcp-server-claude-code", "--max-sessions", "4"]}}}',
      again: after,
    });
  });

  it('replaces the settings that are given, and keeps the others', () => {
    const before =
      '{"mcpServers": {"claude-code": {"command": "npx", "args": ["-y", "mcp-server-claude-code@0.2.0", "connect", "--structured", "--approvals", "any", "--toolsets=query", "--max-sessions", "4"]}}}';
    const given = ['--approvals=human', '--toolsets=async', '--structured=0'];

    const after = withEntry(clients.cursor, before, { ...launch, args: [...launch.args, ...given] });

    expect(after).toBe(
      '{"mcpServers": {"claude-code": {"command": "npx", "args": ["-y", "mcp-server-claude-code@0.2.0", "connect", "--max-sessions", "4", "--approvals=human", "--toolsets=async", "--structured=0"]}}}',
    );
  });

  it('keeps the version and the options with which a person starts the package', () => {
    const before =
      '{"mcpServers": {"claude-code": {"command": "npx", "args": ["--yes", "--omit=optional", "mcp-server-claude-code@0.2.0", "--max-sessions", "4"]}}}';

    expect(withEntry(clients.cursor, before, launch)).toBe(before);
  });

  it('uses the table of servers that OpenCode 2 has', () => {
    const before = '{"mcp": {"servers": {"a": {"type": "local", "command": ["x"]}}}}';

    expect(JSON.parse(withEntry(clients.opencode, before, launch))).toEqual({
      mcp: {
        servers: {
          a: { type: 'local', command: ['x'] },
          'claude-code': { type: 'local', command: ['npx', '-y', 'mcp-server-claude-code'] },
        },
      },
    });
  });
});

describe('an edit of TOML', () => {
  it('adds a table that makes Codex wait for the server and use its tools', () => {
    expect(withEntry(clients.codex, 'model = "o3" # best\n', launch)).toBe(
      'model = "o3" # best\n\n[mcp_servers.claude-code]\ncommand = "npx"\nargs = ["-y", "mcp-server-claude-code"]\nrequired = true\ndefault_tools_approval_mode = "approve"\n',
    );
  });

  it('removes the table and those below it, but not the comments of the next', () => {
    const before =
      '[a]\nb = 1\n\n[mcp_servers.claude-code] # ours\ncommand = "claude-code-mcp"\n\n[mcp_servers.claude-code.env]\nX = """\n[c]\n"""\n\n# about d\n[d]\ne = 2\n';

    expect(withoutEntry(clients.codex, before)).toBe('[a]\nb = 1\n\n# about d\n[d]\ne = 2\n');
  });

  it('changes the command of a table, and adds the keys that it lacks', () => {
    const before =
      '[mcp_servers.claude-code]\nargs = [\n  "/old/dist/claude-code-mcp.js", # old\n] # list\ncommand = "node"\nrequired = true # wait\n\n[z]\n';

    expect(withEntry(clients.codex, before, launch)).toBe(
      '[mcp_servers.claude-code]\nargs = ["-y", "mcp-server-claude-code"] # list\ncommand = "npx"\nrequired = true # wait\ndefault_tools_approval_mode = "approve"\n\n[z]\n',
    );
  });

  it('writes paths of Windows as strings', () => {
    const path = 'C:\\Users\\a b\\dist\\claude-code-mcp.js';

    const after = withEntry(clients.codex, '', { command: 'C:\\node.exe', args: [path] });

    expect(stateOf(clients.codex, after)).toMatchObject({ command: ['C:\\node.exe', path] });
  });
});

describe('an edit is refused', () => {
  it.each([
    [
      'cursor',
      '{"mcpServers": {"claude-code": {"command": "claude", "args": ["mcp", "serve"]}}}',
      'An entry named "claude-code" already starts claude mcp serve. Rename or remove it.',
    ],
    [
      'cursor',
      '{"mcpServers": {"claude-code": {"url": "https://example.com"}}}',
      'An entry named "claude-code" already starts another server. Rename or remove it.',
    ],
    [
      'codex',
      'mcp_servers = { a = { command = "x" } }\n',
      'The file has a form that cannot be edited without risk to the rest of it.',
    ],
    ['cursor', '{', 'Close brace expected in line 1.'],
  ] as const)('in %s with %s', (id, text, why) => {
    expect(() => withEntry(clients[id], text, launch)).toThrow(why);
  });

  it('for an entry in an inline table of TOML', () => {
    const text = 'mcp_servers = { claude-code = { command = "claude-code-mcp" } }\n';

    expect(() => withoutEntry(clients.codex, text)).toThrow('The entry is part of an inline table.');
  });
});
