/** A home of its own for one test: nothing of the user's is read, nothing outlives it, nothing leaves the machine. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { processesWithVariable, type LiveProcess } from './live-processes.js';

export type Sandbox = {
  readonly root: string;
  readonly home: string;
  /** CLAUDE_CONFIG_DIR; Claude Code keeps `.claude.json` in here too when that variable is set. */
  readonly configDir: string;
  /** An empty folder to work in. */
  readonly project: string;
  /** Where the server keeps its own files. */
  readonly stateDir: string;
  /** The smallest quiet environment that Claude Code works in. */
  env(model?: { readonly url: string }): Record<string, string>;
  /** Records that the person trusts the folder, as Claude Code's own dialog does. */
  trustFolder(path: string): void;
  /** Live processes that were started with this sandbox's HOME. Always empty where there is no /proc. */
  processes(): readonly LiveProcess[];
  remove(): Promise<void>;
};

// Port 9 (discard) is closed on any sane machine: whatever tries to leave fails at once.
const DEAD_PROXY = 'http://127.0.0.1:9';

const ClaudeConfig = z.looseObject({ projects: z.record(z.string(), z.looseObject({})).default({}) });

export function createSandbox(): Sandbox {
  // The real path, because trust is recorded by it and macOS has a linked temporary folder.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ccm-')));
  const home = join(root, 'home');
  const configDir = join(home, '.claude');
  const project = join(root, 'project');
  const stateDir = join(root, 'state');
  const temporary = join(root, 'tmp');
  for (const folder of [configDir, project, stateDir, temporary]) mkdirSync(folder, { recursive: true });

  return {
    root,
    home,
    configDir,
    project,
    stateDir,
    env: (model) => ({
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TMPDIR: temporary,
      // Claude Code keeps task output under /tmp unless told otherwise.
      CLAUDE_CODE_TMPDIR: temporary,
      CLAUDE_CONFIG_DIR: configDir,
      CLAUDE_CODE_MCP_STATE_DIR: stateDir,
      ANTHROPIC_API_KEY: 'sk-fake-for-tests',
      ...(model && { ANTHROPIC_BASE_URL: model.url }),
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      HTTP_PROXY: DEAD_PROXY,
      HTTPS_PROXY: DEAD_PROXY,
      NO_PROXY: '127.0.0.1',
      ...(process.getuid?.() === 0 && { IS_SANDBOX: '1' }),
    }),
    trustFolder: (path) => {
      const file = join(configDir, '.claude.json');
      const config = ClaudeConfig.parse(readJson(file));
      const folder = realpathSync(path);
      config.projects[folder] = { ...config.projects[folder], hasTrustDialogAccepted: true };
      writeFileSync(file, JSON.stringify(config));
    },
    processes: () => processesWithVariable('HOME', home),
    // A dying Claude Code may still write into a folder that is being removed.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Claude Code writes the file at its first start; before that there is none.
    return {};
  }
}
