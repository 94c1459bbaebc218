import type { Machine } from '../../src/console/clients/client.js';
import { packageLaunch } from '../../src/console/clients/launch.js';
import { installLinks } from '../../src/console/clients/links.js';
import { clientIds, clients } from '../../src/console/clients/table.js';
import { clientRows, safest, type ClientRow } from '../../src/mcp/clients/limits.js';
import { code } from '../../src/toolsets/reference/markdown.js';
import { generatedNotice } from './markdown.js';

const linux: Machine = { system: 'linux', home: '~', environment: {} };

/** docs/clients.md: how to add the server to clients, and what is known of their limits. */
export function clientsPage(): string {
  const files = clientIds.map((id) => {
    const { title, files: filesOn, keys } = clients[id];
    return `| ${title} | ${code(id)} | ${code(filesOn(linux)[0])} | ${code((keys[0] ?? []).join('.'))} |`;
  });
  const links = Object.entries(installLinks).map(
    ([id, linkOf]) =>
      `[Add to ${clients[id as keyof typeof installLinks].title}](${linkOf(packageLaunch('linux')).web})`,
  );
  return `${generatedNotice}

# Clients

## Add the server

\`claude-code-mcp install\` lists the clients on this machine and adds the server to those that you choose. It shows each
change, asks, and keeps the previous version in a file beside it that ends in \`.before-claude-code-mcp\`. Comments,
indentation and other entries stay as they are. \`claude-code-mcp uninstall\` removes the entry.
Settings that follow \`claude-code-mcp install\`, such as \`--approvals human\`, become part of the entry.

| Client | Name | File | Key |
| --- | --- | --- | --- |
${files.join('\n')}

These are the files on Linux. The command knows those of macOS and Windows, and the variables that move them:
\`CLAUDE_CONFIG_DIR\`, \`CODEX_HOME\`, \`CLINE_DIR\`, \`XDG_CONFIG_HOME\`, \`APPDATA\`. It does not touch files that are read-only,
broken, links, or owned by another user. \`claude-code-mcp install <name> --print\` prints the entry for any of them, and
\`claude-code-mcp install --print\` a generic entry for other clients.

Some clients can also be configured by a link: ${links.join(', ')}.

## Limits

A call waits only as long as its client allows, and its result is only as long as the client passes on to the model. The
server recognizes a client by the name that it reports. An unknown client, or a version older than the one in the table,
gets the values of the strictest client: ${seconds(safest.silentMs)} and ${safest.resultChars.toLocaleString('en-US')} characters.
\`CLAUDE_CODE_MCP_MAX_WAIT_MS\` overrides the wait for all clients.

| Client | From version | Wait | Wait with progress | Result | Quirks |
| --- | --- | --- | --- | --- | --- |
${clientRows.map(limitRow).join('\n')}
`;
}

function limitRow({ title, from, silentMs, progressMs, resultChars, quirks }: ClientRow): string {
  const cells = [
    title,
    from === '0' ? 'any' : from,
    seconds(silentMs),
    seconds(progressMs),
    resultChars.toLocaleString('en-US'),
    quirks,
  ];
  return `| ${cells.join(' | ')} |`;
}

function seconds(ms: number): string {
  return `${ms / 1_000} seconds`;
}
