import type { Abilities } from '../../core/claude/abilities.js';
import type { Backend } from '../../core/claude/backend.js';
import type { IdSource } from '../../core/ids.js';
import type { ProcessTable } from '../../core/processes.js';
import type { Redactor } from '../../core/observability/redactor.js';
import { missingOptions } from './arguments.js';
import { CallbackServer } from './permission/callback-server.js';
import type { ScriptLaunch } from './permission/config.js';
import { serverName } from './permission/protocol.js';
import { CliProcess } from './process.js';
import { createVersionCheck } from './version.js';

export interface CliSettings {
  /** Undefined when there is none on this machine. A repository must not choose: not in the folders of the session. */
  readonly findExecutable: (notIn: readonly string[]) => string | undefined;
  /** The environment of the server, already stripped of what a session must not see. */
  readonly environment: Readonly<Record<string, string>>;
  /** How deep the sessions of this server are nested; the one variable of ours that a session sees. */
  readonly depth: { readonly variable: string; readonly level: number };
  /** Where files for the length of a process are kept. */
  readonly launchFolder: string;
  /** The permission server that Claude Code starts. */
  readonly script: ScriptLaunch;
  readonly processes: ProcessTable;
  readonly redactor: Redactor;
  readonly ids: IdSource;
}

const abilities: Abilities = {
  gate: false,
  suggestions: false,
  liveChanges: false,
  missingOptions,
  reservedServers: [serverName],
};

/** Drives any `claude` through its flags and streams; the Agent SDK need not be installed. */
export function createCliBackend(settings: CliSettings): Backend {
  const { environment, depth, ids } = settings;
  const callbacks = new CallbackServer();
  const checkVersion = createVersionCheck(environment);
  return {
    name: 'cli',
    abilities,
    prepare: async () => undefined,
    open(launch, host) {
      const mark = `${depth.level}.${ids.uuid()}`;
      return new CliProcess(launch, host, {
        ...settings,
        callbacks,
        checkVersion,
        ownEnvironment: {
          [depth.variable]: mark,
          // Without it a turn that Claude Code starts by itself is seen only when it is over.
          CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
        },
        marker: `${depth.variable}=${mark}`,
      });
    },
  };
}
