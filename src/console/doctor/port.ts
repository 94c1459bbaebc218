import type { Finding } from './check.js';

/** `own`: the service or page of this state folder. */
export type PortUse = 'free' | 'own' | 'taken' | 'forbidden' | 'no-address';

export interface PortFacts {
  readonly host: string;
  readonly port: number;
  readonly use: PortUse;
}

/** The address of `serve`. Servers that clients start do not need it. */
export function checkPort({ host, port, use }: PortFacts): Finding {
  const id = 'port';
  const place = `Port ${port} on ${host}`;
  switch (use) {
    case 'free':
      return { id, status: 'ok', message: `${place} is free for claude-code-mcp serve.` };
    case 'own':
      return { id, status: 'ok', message: `${place}: your service is running.` };
    case 'taken':
      return {
        id,
        status: 'warn',
        message: `${place} is in use by another program, so claude-code-mcp serve cannot use it.`,
        fix: 'Stop that program, or set CLAUDE_CODE_MCP_PORT to another port.',
      };
    case 'forbidden':
      return {
        id,
        status: 'warn',
        message: `${place} is reserved, so claude-code-mcp serve cannot use it.`,
        fix: 'Set CLAUDE_CODE_MCP_PORT to a port above 1023.',
      };
    case 'no-address':
      return {
        id,
        status: 'warn',
        message: `${host} is not an address of this machine, so claude-code-mcp serve cannot use it.`,
        fix: 'Correct CLAUDE_CODE_MCP_HOST.',
      };
  }
}
