import type { EffectiveOptions } from '../../../core/options/index.js';
import { serverName, variables } from './protocol.js';

/** The longest timeout that Claude Code accepts. With its default it would abort a call that is still waiting. */
const timeoutMs = 2_147_000_000;

export interface ScriptLaunch {
  /** The Node executable that runs the script at `path`. */
  readonly node: string;
  readonly path: string;
}

/** The MCP configuration of a launch. It contains the token and the secrets of the caller's servers. */
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
      // The user's NODE_OPTIONS are not meant for this script.
      NODE_OPTIONS: '',
    },
    timeout: timeoutMs,
  };
  return JSON.stringify({ mcpServers: { ...mcpServers, [serverName]: permissions } });
}
