import { allAbilities } from '../../core/claude/abilities.js';
import type { Backend } from '../../core/claude/backend.js';
import type { IdSource } from '../../core/ids.js';
import type { ProcessTable } from '../../core/processes.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { loadSdk } from './load-sdk.js';
import { AgentSdkProcess } from './process.js';

export interface AgentSdkSettings {
  readonly executable: string | undefined;
  /** The environment of the server, already stripped of what a session must not see. */
  readonly environment: Readonly<Record<string, string>>;
  /** How deep the sessions of this server are nested; the one variable of ours that a session sees. */
  readonly depth: { readonly variable: string; readonly level: number };
  /** Where files for the length of a process are kept. */
  readonly launchFolder: string;
  readonly processes: ProcessTable;
  readonly redactor: Redactor;
  readonly ids: IdSource;
}

/** Drives Claude Code through the Claude Agent SDK, which takes about 170 ms to load: hence only when needed. */
export function createAgentSdkBackend(settings: AgentSdkSettings): Backend {
  let sdk: ReturnType<typeof loadSdk> | undefined;
  const load = (): NonNullable<typeof sdk> => (sdk ??= loadSdk());
  return {
    name: 'agent-sdk',
    abilities: allAbilities,
    prepare: async () => {
      await load();
    },
    open(launch, host) {
      const { variable, level } = settings.depth;
      const depth = `${level}.${settings.ids.uuid()}`;
      return new AgentSdkProcess(launch, host, {
        loadQuery: async () => (await load()).query,
        launchFolder: settings.launchFolder,
        processes: settings.processes,
        redactor: settings.redactor,
        executable: settings.executable,
        environment: settings.environment,
        ownEnvironment: {
          [variable]: depth,
          // Without it a turn that Claude Code starts by itself is seen only when it is over.
          CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
        },
        marker: `${variable}=${depth}`,
      });
    },
  };
}
