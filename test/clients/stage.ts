/** What each client needs: the packed server behind `npx`, Claude Code, a scripted model, and a task. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { startBackstage } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';
import type { Sandbox } from '../kit/sandbox.js';
import type { ScriptedModel } from '../kit/scripted-model.js';

interface Stage {
  readonly sandbox: Sandbox;
  readonly model: ScriptedModel;
  readonly claude: string;
  /** Starts the server as a client does that has `claude` on its PATH. */
  readonly server: readonly [command: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
  /** A prompt on which Claude writes `made` into `file`. */
  readonly task: string;
  readonly file: string;
}

export async function startStage(): Promise<Stage> {
  const claude = findBundledClaude();
  if (claude === undefined) throw new Error('Claude Code is not installed: run npm ci');
  const { sandbox, model } = await startBackstage();
  const bin = join(sandbox.root, 'bin');
  mkdirSync(bin);
  symlinkSync(claude, join(bin, 'claude'));
  const file = join(sandbox.project, 'made.txt');
  const task = 'write the file';
  model.when(task, [tool('Write', { file_path: file, content: 'made' }), text('Written.')]);
  const env = sandbox.env(model);
  return {
    sandbox,
    model,
    claude,
    server: inject('server'),
    env: {
      ...env,
      PATH: `${bin}:${env['PATH']}`,
      npm_config_cache: inject('npmCache'),
      npm_config_update_notifier: 'false',
    },
    task,
    file,
  };
}
