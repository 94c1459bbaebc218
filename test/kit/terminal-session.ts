/** Claude Code as a person uses it: the interactive program in its own terminal. Linux only. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Scene } from './fixture.js';
import { until } from './until.js';

export interface TerminalSession {
  readonly sessionId: string;
  /** The pid of Claude Code in its registry. */
  readonly pid: number;
  /** Types /exit and waits until the program has exited. */
  exit(): Promise<void>;
}

/** From util-linux. The `script` of other systems takes different arguments. */
export const script = '/usr/bin/script';
export const hasTerminal = process.platform === 'linux' && existsSync(script);

/** Starts the program, types the prompt, and waits until the transcript contains it and an answer. */
export async function startTerminalSession(
  { sandbox, model }: Pick<Scene, 'sandbox' | 'model'>,
  prompt: string,
): Promise<TerminalSession> {
  const env = sandbox.env(model);
  acceptDialogs(join(sandbox.configDir, '.claude.json'), sandbox.project, env['ANTHROPIC_API_KEY'] ?? '');
  const terminal = spawn(script, ['-qfec', claudeBinary(), '/dev/null'], {
    cwd: sandbox.project,
    env: { ...env, TERM: 'xterm-256color' },
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  let screen = '';
  terminal.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  const before = new Set(registered(sandbox.configDir).map(({ pid }) => pid));
  await until('the prompt is there', () => screen.includes('❯'));
  const { pid, sessionId } = await until('it is registered', () =>
    registered(sandbox.configDir).find((entry) => !before.has(entry.pid)),
  );
  await type(terminal, prompt, () => screen);
  await until('the prompt is answered', () =>
    transcriptOf(sandbox.configDir, sessionId).includes('"type":"assistant"'),
  );
  return {
    sessionId,
    pid,
    exit: async () => {
      const exited = once(terminal, 'exit');
      await type(terminal, '/exit', () => screen);
      await exited;
    },
  };
}

/** Presses Enter only when the text is on the screen. Sent together, both would count as pasted text. */
async function type({ stdin }: ChildProcess, words: string, screen: () => string): Promise<void> {
  const seen = screen().length;
  stdin?.write(words);
  const [first = words] = words.split(' ');
  await until(`"${words}" is on the screen`, () => screen().slice(seen).includes(first));
  stdin?.write('\r');
}

/** Records that the person has completed the dialogs of the first start. */
function acceptDialogs(file: string, project: string, key: string): void {
  writeFileSync(
    file,
    JSON.stringify({
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [key.slice(-20)] },
      projects: { [project]: { hasTrustDialogAccepted: true } },
    }),
  );
}

function claudeBinary(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk'));
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/package.json`;
  return join(dirname(require.resolve(name)), 'claude');
}

function registered(configDir: string): { pid: number; sessionId: string }[] {
  const folder = join(configDir, 'sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as { pid: number; sessionId: string }];
      } catch {
        // Claude Code is still writing the file.
        return [];
      }
    });
}

function transcriptOf(configDir: string, sessionId: string): string {
  const projects = join(configDir, 'projects');
  const name = existsSync(projects)
    ? readdirSync(projects, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.endsWith(`${sessionId}.jsonl`),
      )
    : undefined;
  return name === undefined ? '' : readFileSync(join(projects, name), 'utf8');
}
