import type { IdSource } from '../../core/ids.js';
import type { Redactor } from '../../core/observability/redactor.js';
import type { ProcessTable, SystemUser } from '../../core/processes.js';
import type { Launches } from '../launches/launches.js';
import type { CheckSignIn } from './sign-in.js';

/** The server facts that every backend needs. */
export interface BackendSettings {
  /** The server's environment, without variables that sessions must not see. */
  readonly environment: Readonly<Record<string, string>>;
  /** How deep the sessions of this server are nested. The only variable of ours that a session sees. */
  readonly depth: { readonly variable: string; readonly level: number };
  readonly launches: Launches;
  /** The user that runs Claude Code. Undefined: the user of this server. */
  readonly user?: SystemUser | undefined;
  readonly processes: ProcessTable;
  /** For texts that a backend truncates. The session redacts the rest. */
  readonly redactor: Redactor;
  readonly ids: IdSource;
}

/** Finds the executable of a session. Skips its folders, because a repository must not supply it. */
export type FindExecutable = (notIn: readonly string[]) => string | undefined;

/** The same for one process. */
export interface ProcessSettings extends BackendSettings {
  /** Marks and watches the session; neither caller nor operator may override it. */
  readonly ownEnvironment: Readonly<Record<string, string>>;
  /** `KEY=VALUE`, unique to this process: finds its descendants after a crash. */
  readonly marker: string;
  /** Undefined if nothing has to sign in. */
  readonly checkSignIn?: CheckSignIn | undefined;
  /** It waits for its session in a folder of its own. */
  readonly isParked?: boolean;
}

export function settingsOfProcess(settings: BackendSettings, checkSignIn: CheckSignIn): ProcessSettings {
  const { depth, ids } = settings;
  const mark = `${depth.level}.${ids.uuid()}`;
  return {
    ...settings,
    ownEnvironment: {
      [depth.variable]: mark,
      // Without it, a turn that Claude Code starts by itself shows only when it is over.
      CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    },
    marker: `${depth.variable}=${mark}`,
    checkSignIn,
  };
}
