/** A separate home for one test. The test reads no files of the user, leaves nothing behind, and reaches no network. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { processesWithVariable, type LiveProcess } from './live-processes.js';

export type Sandbox = {
  readonly root: string;
  readonly home: string;
  /** CLAUDE_CONFIG_DIR. When that variable is set, Claude Code also stores `.claude.json` here. */
  readonly configDir: string;
  /** An empty folder to work in. */
  readonly project: string;
  /** The folder for the server's own files. */
  readonly stateDir: string;
  /** The smallest environment in which Claude Code works and sends no other requests. */
  env(model?: { readonly url: string }): Record<string, string>;
  /** Records that the person trusts the folder, as Claude Code's own dialog does. */
  trustFolder(path: string): void;
  /** Live processes with this sandbox's HOME. On macOS, without orphans of the system's own programs. None on Windows. */
  processes(): readonly LiveProcess[];
  remove(): Promise<void>;
};

// Port 9 (discard) is closed on any sane machine, so that every outgoing request fails at once.
const DEAD_PROXY = 'http://127.0.0.1:9';

const ClaudeConfig = z.looseObject({ projects: z.record(z.string(), z.looseObject({})).default({}) });

export function createSandbox(): Sandbox {
  // The real path, because Claude Code records trust by it, and the temporary folder of macOS is a link.
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
      // Claude Code stores task output under /tmp by default.
      CLAUDE_CODE_TMPDIR: temporary,
      CLAUDE_CONFIG_DIR: configDir,
      CLAUDE_CODE_MCP_STATE_DIR: stateDir,
      // The server keeps a key there, on every platform.
      XDG_CONFIG_HOME: join(root, 'config'),
      // Tests read the line of each call.
      LOG_LEVEL: 'info',
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
      const folder = realpathSync(path);
      underLock(file, () => {
        const config = ClaudeConfig.parse(readJson(file));
        config.projects[folder] = { ...config.projects[folder], hasTrustDialogAccepted: true };
        writeFileSync(file, JSON.stringify(config));
      });
    },
    processes: () => processesWithVariable('HOME', home),
    // Claude Code may still write into the folder while it exits.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

/** A Claude Code that runs would otherwise write back what it has read before the change. */
function underLock(file: string, change: () => void): void {
  const lock = `${file}.lock`;
  for (let left = 500; !isCreated(lock); left -= 1) {
    if (left === 0) throw new Error(`Claude Code did not release ${lock}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
  try {
    change();
  } finally {
    rmdirSync(lock);
  }
}

function isCreated(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Claude Code creates the file at its first start.
    return {};
  }
}
