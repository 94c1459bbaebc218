import { expect, it } from 'vitest';
import { packageLaunch } from '../../../src/console/clients/launch.js';
import type { ClientId } from '../../../src/console/clients/table.js';
import type { Action } from '../../../src/console/install/plan.js';
import { RefusedFileError, run, type ConfigFiles } from '../../../src/console/install/run.js';

interface Scene {
  readonly action?: Action;
  readonly texts: Readonly<Partial<Record<ClientId, string>>>;
  readonly backups?: Readonly<Partial<Record<ClientId, string>>>;
  /** What the person answers. Undefined: they are not asked. */
  readonly answers?: readonly boolean[];
  readonly isRefused?: boolean;
  readonly columns?: number;
}

async function play({ action = 'install', texts, backups = {}, answers, isRefused = false, columns }: Scene) {
  const written: Record<string, string> = {};
  const asked: string[] = [];
  let output = '';
  const textsByFile: Readonly<Record<string, string>> = texts;
  const files: ConfigFiles = {
    read: async (path) => {
      if (isRefused) throw new RefusedFileError('The file is read-only. Make it writable first.');
      return textsByFile[path] === '' ? undefined : textsByFile[path];
    },
    readBackup: async (path) => (backups as Readonly<Record<string, string>>)[path],
    replace: async (path, before, after) => {
      written[path] = after;
      return before === undefined ? undefined : `${path}.backup`;
    },
  };
  const isFine = await run(
    (Object.keys(texts) as ClientId[]).map((id) => ({ id, file: id, isInstalled: id !== 'zed' })),
    {
      action,
      launch: packageLaunch('linux'),
      files,
      command: 'claude-code-mcp',
      paint: (_color, text) => text,
      columns,
      write: (text) => void (output += text),
      confirm:
        answers === undefined
          ? undefined
          : async (question) => {
              asked.push(question);
              return answers[asked.length - 1] ?? false;
            },
    },
  );
  return { isFine, written, asked, output };
}

const configured = '{"mcpServers": {"claude-code": {"command": "claude-code-mcp"}}}';

it('shows each change, asks, and writes those that are wanted', async () => {
  const { isFine, written, asked, output } = await play({
    texts: { cursor: '{\n  "mcpServers": {}\n}\n', codex: '' },
    answers: [true, false],
  });

  expect({ isFine, written, asked, output }).toEqual({
    isFine: true,
    written: {
      cursor:
        '{\n  "mcpServers": {\n    "claude-code": {\n      "command": "npx",\n      "args": ["-y", "mcp-server-claude-code"]\n    }\n  }\n}\n',
    },
    asked: ['Write this change?', 'Write this change?'],
    output: `Cursor  cursor
  @@ line 1
   {
  -  "mcpServers": {}
  +  "mcpServers": {
  +    "claude-code": {
  +      "command": "npx",
  +      "args": ["-y", "mcp-server-claude-code"]
  +    }
  +  }
   }
✓ Cursor now starts this server. Turn the server on in the MCP settings of Cursor, if it is off. The previous version is in cursor.backup.

Codex  codex
  This creates the file.
  @@ line 1
  +[mcp_servers.claude-code]
  +command = "npx"
  +args = ["-y", "mcp-server-claude-code"]
  +required = true
  +default_tools_approval_mode = "approve"
- Nothing was changed.

`,
  });
});

it('breaks its sentences at the width of the terminal', async () => {
  const { output } = await play({ texts: { cursor: '{}' }, isRefused: true, columns: 40 });

  expect(output).toBe(`Cursor  cursor
✗ The file is read-only. Make it
  writable first. Nothing was changed.
  To add the entry by hand:
  claude-code-mcp install cursor --print

`);
});

it('does not ask with --yes', async () => {
  const { asked, written } = await play({ texts: { zed: '' } });

  expect({ asked, clients: Object.keys(written) }).toEqual({ asked: [], clients: ['zed'] });
});

it('changes nothing that is already as it should be', async () => {
  const texts = {
    cursor: '{"mcpServers": {"claude-code": {"command": "npx", "args": ["-y", "mcp-server-claude-code"]}}}',
  };

  const installed = await play({ texts, answers: [] });
  const uninstalled = await play({ action: 'uninstall', texts: { gemini: '{}' }, answers: [] });

  expect(
    [installed, uninstalled].map(({ isFine, written, output }) => ({ isFine, written, output })),
  ).toEqual([
    { isFine: true, written: {}, output: 'Cursor  cursor\n✓ Cursor already starts this server.\n\n' },
    {
      isFine: true,
      written: {},
      output: 'Gemini CLI  gemini\n✓ Gemini CLI has no entry for this server.\n\n',
    },
  ]);
});

it('says that an entry which a person has turned off stays off', async () => {
  const texts = {
    windsurf: '{"mcpServers": {"claude-code": {"command": "claude-code-mcp", "disabled": true}}}',
    codex: '[mcp_servers.claude-code]\ncommand = "claude-code-mcp"\nenabled = false\n',
  };
  const { written, isFine, output } = await play({ texts });

  const again = await play({ texts: written });

  const words = [
    '- Windsurf does not start this server: "disabled" is true in its entry "claude-code". Turn it on there.',
    '- Codex does not start this server: "enabled" is false in its entry "claude-code". Turn it on there.',
  ].map((line) => expect.stringContaining(line) as unknown);
  expect({
    isFine,
    outputs: [output, output, again.output, again.output],
    clients: Object.keys(written),
    writtenAgain: again.written,
  }).toEqual({
    isFine: true,
    outputs: [...words, ...words],
    clients: ['windsurf', 'codex'],
    writtenAgain: {},
  });
});

it('refuses a broken file and continues with the next client', async () => {
  const { isFine, written, output } = await play({ texts: { cursor: '{"mcpServers": ', windsurf: '{}' } });

  expect({ isFine, clients: Object.keys(written), output }).toMatchObject({
    isFine: false,
    clients: ['windsurf'],
    output: expect.stringContaining(
      '✗ Cursor cannot read this file: Value expected in line 1. Correct it first. Nothing was changed. To add the entry by hand: claude-code-mcp install cursor --print\n',
    ) as unknown,
  });
});

it('refuses a file that cannot be changed, and says why', async () => {
  const { isFine, output } = await play({ action: 'uninstall', texts: { cursor: '{}' }, isRefused: true });

  expect({ isFine, output }).toEqual({
    isFine: false,
    output:
      'Cursor  cursor\n✗ The file is read-only. Make it writable first. Nothing was changed. Remove the entry by hand.\n\n',
  });
});

it('uninstalls to the bytes of the backup if only our entry came after it', async () => {
  const backups = { cursor: '{ }' };
  const { written: installed } = await play({ texts: backups });

  const { written } = await play({ action: 'uninstall', texts: installed, backups });
  const other = await play({ action: 'uninstall', texts: { cursor: configured }, backups });

  expect({ written, other: other.written }).toEqual({
    written: { cursor: '{ }' },
    other: { cursor: '{"mcpServers": {}}' },
  });
});

it.each<[string, Scene['texts']]>([
  [
    'another server',
    { cursor: String.raw`{"mcpServers": {"claude-code": {"command": "x\u001b]0;y\u0007"}}}` },
  ],
  [
    'our entry',
    {
      cursor: String.raw`{"mcpServers": {"\u001b[2J": {"command": "claude-code-mcp", "disabled": true}}}`,
    },
  ],
])('prints no control characters that the file of a client has in %s', async (_where, texts) => {
  const { output } = await play({ texts });

  expect(output).toContain(String.raw`\u{1b}`);
  expect(output.match(/[^\P{Cc}\n]/gu)).toBeNull();
});
