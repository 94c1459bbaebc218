import { expect, it } from 'vitest';
import { launchOf, packageLaunch } from '../../../src/console/clients/launch.js';
import { installLinks } from '../../../src/console/clients/links.js';

const launch = packageLaunch('linux');

it('links to Cursor with the entry in base64', () => {
  const { web, app } = installLinks.cursor(launch);

  const { searchParams } = new URL(web);
  expect({
    isWeb: web.startsWith('https://cursor.com/install-mcp?'),
    app,
    name: searchParams.get('name'),
    entry: JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString()) as unknown,
  }).toEqual({
    isWeb: true,
    app: `cursor://anysphere.cursor-deeplink/mcp/install${new URL(web).search}`,
    name: 'claude-code',
    entry: { command: 'npx', args: ['-y', 'mcp-server-claude-code'] },
  });
});

it('links to VS Code with the entry in the address', () => {
  const { web, app } = installLinks.vscode(launch);

  const { origin, pathname, searchParams } = new URL(web);
  expect({
    place: origin + pathname,
    name: searchParams.get('name'),
    entry: JSON.parse(searchParams.get('config') ?? '') as unknown,
    app: JSON.parse(decodeURIComponent(app.replace('vscode:mcp/install?', ''))) as unknown,
  }).toEqual({
    place: 'https://insiders.vscode.dev/redirect/mcp/install',
    name: 'claude-code',
    entry: { type: 'stdio', command: 'npx', args: ['-y', 'mcp-server-claude-code'] },
    app: { name: 'claude-code', type: 'stdio', command: 'npx', args: ['-y', 'mcp-server-claude-code'] },
  });
});

it.each([
  ['/home/a/.npm/_npx/1f/node_modules/mcp-server-claude-code/dist/claude-code-mcp.js', 'linux'],
  ['/usr/lib/node_modules/mcp-server-claude-code/dist/claude-code-mcp.js', 'darwin'],
] as const)(
  'starts an installed package by its name, with the dependencies that it has: %s',
  (program, system) => {
    const launches = [true, false].map((hasAgentSdk) =>
      launchOf({ program, node: '/usr/bin/node', system, hasAgentSdk }),
    );

    expect(launches).toEqual([
      { command: 'npx', args: ['-y', 'mcp-server-claude-code'] },
      { command: 'npx', args: ['-y', '--omit=optional', 'mcp-server-claude-code'] },
    ]);
  },
);

it('starts npx through the shell of Windows', () => {
  const program = 'C:\\npm\\node_modules\\mcp-server-claude-code\\dist\\claude-code-mcp.js';

  expect(launchOf({ program, node: 'C:\\node.exe', system: 'win32', hasAgentSdk: true })).toEqual({
    command: 'cmd',
    args: ['/c', 'npx', '-y', 'mcp-server-claude-code'],
  });
});

it('starts a checkout by its path', () => {
  const program = '/opt/mcp-server-claude-code/dist/claude-code-mcp.js';

  expect(launchOf({ program, node: '/usr/bin/node', system: 'linux', hasAgentSdk: false })).toEqual({
    command: '/usr/bin/node',
    args: [program],
  });
});
