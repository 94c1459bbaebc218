import { basename } from 'node:path';
import { parseObject } from '../core/json.js';

/** What a person reads who starts the server in a terminal, where no client talks to it. */
export function greeting(version: string, command: string): string {
  return `claude-code-mcp ${version} is waiting for an MCP client. Clients start it themselves, so you can stop it with Ctrl-C.

Add it to your clients:   ${command} install
Find and fix problems:    ${command} doctor
Watch and approve:        ${command} open
Everything else:          ${command} --help
`;
}

/** How a person runs another command of this package, given the path of the program that runs. */
export function commandLine(program: string): string {
  if (/[\\/]_npx[\\/]/.test(program)) return 'npx -y mcp-server-claude-code';
  const name = basename(program);
  // A link on the PATH has no extension. Windows runs the program through a shim, which is not visible here.
  return name.endsWith('.js') || name === '' ? `node ${program}` : name;
}

const hint = 'That is not an MCP message. This server talks to MCP clients; press Ctrl-C to stop it.\n';

/** Answers what a person types. The transport answers too, but in JSON. */
export function answerTyping(input: NodeJS.ReadableStream, write: (text: string) => void): void {
  input.on('data', (chunk: Buffer | string) => {
    const lines = String(chunk)
      .split('\n')
      .filter((line) => line.trim() !== '');
    if (lines.some((line) => parseObject(line) === undefined)) write(hint);
  });
}
