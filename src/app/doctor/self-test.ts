import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelfTestOutcome } from '../../console/self-test/check.js';
import { runSession, SelfTestError, type Peer } from '../../console/self-test/conversation.js';
import { startScriptedModel } from '../../console/self-test/scripted-model.js';
import { messageOf } from '../../core/errors.js';
import { parseObject } from '../../core/json.js';
import { LineProcess } from '../../platform/line-process.js';
import { isListed } from '../../policy/child-environment.js';
import type { Surroundings } from './surroundings.js';

const proof = 'self-test.txt';
const words = 'claude-code-mcp works';
/** By the tool that runs them. Without Git Bash, a session on Windows has the second. */
const commands = {
  Bash: `echo ${words} > ${proof}`,
  // Its redirection would write UTF-16.
  PowerShell: `Set-Content -Path ${proof} -Value '${words}'`,
};
const limitMs = 60_000;

/** Variables that find programs, and what the system needs. Nothing of the user's account or settings. */
const inherited: readonly string[] = [
  'PATH',
  'SHELL',
  'TERM',
  'LANG',
  'LC_*',
  'TZ',
  'LD_LIBRARY_PATH',
  'NODE_EXTRA_CA_CERTS',
  'IS_SANDBOX',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'CLAUDE_CODE_GIT_BASH_PATH',
];

export interface SelfTestRun {
  /** The script of the server. */
  readonly program: string;
  readonly claude: string;
  readonly signal: AbortSignal;
}

/**
 * Runs a session in the whole chain: this server, the real Claude Code, and a scripted model on loopback, with a key
 * and a configuration of their own. Nothing leaves the machine.
 */
export async function selfTest(
  { settings, environment }: Pick<Surroundings, 'settings' | 'environment'>,
  { program, claude, signal }: SelfTestRun,
): Promise<SelfTestOutcome> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'claude-code-mcp-doctor-')));
  const model = await startScriptedModel(commands);
  const startedAt = performance.now();
  const cwd = join(root, 'project');
  const folders = { home: join(root, 'home'), state: join(root, 'state'), tmp: join(root, 'tmp') };
  for (const folder of [cwd, ...Object.values(folders)]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = new LineProcess({
    file: process.execPath,
    args: [program],
    cwd,
    env: {
      ...Object.fromEntries(
        Object.entries(environment).filter(
          (entry): entry is [string, string] => entry[1] !== undefined && isListed(entry[0], inherited),
        ),
      ),
      HOME: folders.home,
      USERPROFILE: folders.home,
      TMPDIR: folders.tmp,
      TEMP: folders.tmp,
      CLAUDE_CODE_TMPDIR: folders.tmp,
      CLAUDE_CONFIG_DIR: join(folders.home, '.claude'),
      XDG_CONFIG_HOME: join(folders.home, '.config'),
      CLAUDE_CODE_MCP_STATE_DIR: folders.state,
      CLAUDE_CODE_MCP_BACKEND: settings.backend,
      CLAUDE_CODE_PATH: claude,
      ANTHROPIC_API_KEY: 'sk-for-the-self-test',
      ANTHROPIC_BASE_URL: model.url,
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Nothing listens there, so nothing but the model can be reached.
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
    },
  });
  for (const ending of [signal, AbortSignal.timeout(limitMs)])
    ending.addEventListener('abort', () => void server.end());
  try {
    await runSession(peerOf(server), { cwd, commands: Object.values(commands) });
    const written = readFileSync(join(cwd, proof), 'utf8').trim();
    if (written !== words) throw new SelfTestError(`the command wrote ${JSON.stringify(written)}.`);
    return { kind: 'passed', ms: performance.now() - startedAt };
  } catch (error) {
    return { kind: 'failed', problem: messageOf(error) };
  } finally {
    await server.end();
    await model.close();
    // Claude Code may still write there while it exits.
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

function peerOf(server: LineProcess): Peer {
  return {
    send: (message) => server.write(JSON.stringify(message)),
    async receive() {
      for (;;) {
        const line = await server.read();
        if (line === undefined)
          throw new SelfTestError(`the server ended, or did not answer in time. ${server.stderrTail}`.trim());
        const message = parseObject(line);
        if (message !== undefined) return message;
      }
    },
  };
}
