import type { Finding } from './check.js';

/** `own`: a server of this state folder. */
export type PortUse = 'free' | 'own' | 'taken' | 'forbidden' | 'no-address';

export interface PortFacts {
  readonly of: keyof typeof owners;
  readonly host: string;
  readonly port: number;
  readonly use: PortUse;
}

/** What needs a port, and the settings that choose it. Servers that clients start need none, except for the page. */
const owners = {
  service: { name: 'claude-code-mcp serve', host: 'CLAUDE_CODE_MCP_HOST', port: 'CLAUDE_CODE_MCP_PORT' },
  page: { name: 'the page', host: 'CLAUDE_CODE_MCP_WEB', port: 'CLAUDE_CODE_MCP_WEB' },
} as const;

export function checkPort({ of, host, port, use }: PortFacts): Finding {
  const id = of === 'service' ? 'port' : 'page-port';
  const { name, host: hostSetting, port: portSetting } = owners[of];
  const place = `Port ${port} on ${host}`;
  switch (use) {
    case 'free':
      return { id, status: 'ok', message: `${place} is free for ${name}.` };
    case 'own':
      return {
        id,
        status: 'ok',
        message: `${place}: ${of === 'service' ? 'your service' : name} is running.`,
      };
    case 'taken':
      return {
        id,
        status: 'warn',
        message: `${place} is in use by another program, so ${name} cannot use it.`,
        fix: `Stop that program, or choose another port with ${portSetting}.`,
      };
    case 'forbidden':
      return {
        id,
        status: 'warn',
        message: `${place} is reserved, so ${name} cannot use it.`,
        fix: `Choose a port above 1023 with ${portSetting}.`,
      };
    case 'no-address':
      return {
        id,
        status: 'warn',
        message: `${host} is not an address of this machine, so ${name} cannot use it.`,
        fix: `Correct ${hostSetting}.`,
      };
  }
}
