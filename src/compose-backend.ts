import { tmpdir } from 'node:os';
import type { AppConfig } from './app.js';
import { depthVariable, type Settings } from './config/settings.js';
import type { Backend } from './core/backend.js';
import type { IdSource } from './core/ids.js';
import { findExecutable } from './platform/find-executable.js';
import * as processes from './platform/processes.js';

type Create = (
  config: AppConfig,
  common: {
    readonly environment: Readonly<Record<string, string>>;
    readonly depth: { readonly variable: string; readonly level: number };
    readonly processes: typeof processes;
    readonly redactor: AppConfig['redactor'];
    readonly ids: IdSource;
  },
) => Promise<Backend>;

/** The only place that knows which backends there are. Only the chosen one is loaded. */
const backends: Readonly<Record<Settings['backend'], Create>> = {
  async 'agent-sdk'({ executable }, common) {
    const { createAgentSdkBackend } = await import('./backends/agent-sdk/backend.js');
    return createAgentSdkBackend({ ...common, executable });
  },
  async cli(config, common) {
    const [{ createCliBackend }, { findBundledClaude }] = await Promise.all([
      import('./backends/cli/backend.js'),
      import('./backends/cli/find-claude.js'),
    ]);
    return createCliBackend({
      ...common,
      executable: config.executable ?? claudeOnPath(config) ?? findBundledClaude(),
      temporaryFolder: tmpdir(),
      script: { node: process.execPath, path: config.permissionServer },
    });
  },
};

export function composeBackend(
  config: AppConfig,
  environment: Readonly<Record<string, string>>,
  ids: IdSource,
): Promise<Backend> {
  return backends[config.settings.backend](config, {
    environment,
    depth: { variable: depthVariable, level: config.depth + 1 },
    processes,
    redactor: config.redactor,
    ids,
  });
}

function claudeOnPath({ home, environment }: AppConfig): string | undefined {
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  return findExecutable(name, { home, searchPath: environment['PATH'] });
}
