import { parseObject } from '../core/json.js';

/** What a person reads who starts the server in a terminal, where no client talks to it. */
export function greeting(version: string, command: string): string {
  return `claude-code-mcp ${version} is waiting for an MCP client.
Clients start it themselves, so you can stop it with Ctrl-C.

Add it to your clients:   ${command} install
Find and fix problems:    ${command} doctor
Watch and approve:        ${command} open
Everything else:          ${command} --help
`;
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
