import type { Backend } from '../../core/claude/backend.js';
import { settingsOfProcess, type BackendSettings, type FindExecutable } from '../shared/settings.js';
import { createSignInCheck } from '../shared/sign-in.js';
import { loadSdk } from './load-sdk.js';
import { AgentSdkProcess, type AgentSdkProcessSettings } from './process.js';

export interface AgentSdkSettings extends BackendSettings {
  readonly findExecutable: FindExecutable;
}

/** Drives Claude Code through the Claude Agent SDK. Loads the SDK on demand, because that takes about 170 ms. */
export function createAgentSdkBackend(settings: AgentSdkSettings): Backend {
  const checkSignIn = createSignInCheck(settings);
  let sdk: ReturnType<typeof loadSdk> | undefined;
  const load = (): NonNullable<typeof sdk> => (sdk ??= loadSdk());
  const processSettings = (): AgentSdkProcessSettings => ({
    ...settingsOfProcess(settings, checkSignIn),
    findExecutable: settings.findExecutable,
    loadQuery: async () => (await load()).query,
    loadPrewarm: async () => (await load()).prewarm,
  });
  return {
    name: 'agent-sdk',
    startTimeoutMs: 10_000,
    prepare: async () => {
      await load();
    },
    open: (launch, host) => new AgentSdkProcess(launch, host, processSettings()),
    park: (launch, host) => new AgentSdkProcess(launch, host, { ...processSettings(), isParked: true }),
  };
}
