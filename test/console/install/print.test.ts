import { expect, it } from 'vitest';
import { packageLaunch } from '../../../src/console/clients/launch.js';
import { printText } from '../../../src/console/install/print.js';

const launch = packageLaunch('linux');

it('prints the entry of a client, and a link if it has one', () => {
  expect(printText(launch, [{ id: 'zed', file: '/z.json' }])).toBe(
    'Add this to /z.json for Zed:\n\n{\n  "context_servers": {\n    "claude-code": {\n      "command": "npx",\n      "args": ["-y", "mcp-server-claude-code"]\n    }\n  }\n}\n',
  );
  expect(printText(launch, [{ id: 'cursor', file: '/c.json' }])).toContain(
    '\nOr open this link:\nhttps://cursor.com/install-mcp?name=claude-code&config=',
  );
});

it('prints a form for any other client', () => {
  expect(printText(launch, [])).toContain('Command: npx -y mcp-server-claude-code\n');
});
