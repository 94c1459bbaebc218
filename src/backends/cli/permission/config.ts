import type { EffectiveOptions } from '../../../core/options/index.js';
import { serverName, variables } from './protocol.js';

/** The longest Claude Code takes for a timer; it would otherwise end a call however alive it is. */
const timeoutMs = 2_147_000_000;

export interface ScriptLaunch {
  /** What runs the script, and where that is. */
  readonly node: string;
  readonly path: string;
}

/** The MCP configuration of a launch. It holds the token, and the secrets of the caller's servers. */
export function mcpConfig(
  { mcpServers }: EffectiveOptions,
  script: ScriptLaunch,
  ask: { readonly port: number; readonly token: string; readonly sessionId: string },
): string {
  const permissions = {
    type: 'stdio',
    command: script.node,
    args: [script.path],
    env: {
      [variables.port]: String(ask.port),
      [variables.sessionId]: ask.sessionId,
      [variables.token]: ask.token,
      // What the user's environment tells every Node program is not meant for this one.
      NODE_OPTIONS: '',
    },
    timeout: timeoutMs,
  };
  return JSON.stringify({ mcpServers: { ...mcpServers, [serverName]: permissions } });
}
