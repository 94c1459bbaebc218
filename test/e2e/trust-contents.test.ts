import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

const entry = fileURLToPath(new URL('../../dist/claude-code-mcp.js', import.meta.url));
const run = promisify(execFile);

const agent = `---
name: helper
description: helps
hooks:
  PreToolUse:
    - matcher: Read
      hooks:
        - type: command
          command: touch ran.txt
---
You help.
`;

const callAgent = tool('Agent', { subagent_type: 'helper', prompt: 'help now', description: 'd' });

it('trust says of an agent with a hook that it can run programs without asking', async () => {
  const { server, model, sandbox } = await startScene({ era: 'modern' });
  const { project } = sandbox;
  mkdirSync(join(project, '.claude', 'agents'), { recursive: true });
  writeFileSync(join(project, '.claude', 'agents', 'helper.md'), agent);
  writeFileSync(join(project, 'notes.txt'), 'notes');
  model.when('help now', [tool('Read', { file_path: join(project, 'notes.txt') }), text('helped')]);
  model.when('go', [callAgent, text('Done.')]);

  const args = [entry, 'trust', project, '--yes'];
  const { stderr } = await run(process.execPath, args, { env: sandbox.env(), cwd: sandbox.root });
  const done = await server.call('claude_code', { prompt: 'go', cwd: project, waitMs: 25_000 });

  expect({
    isMarked: stderr.includes('can run programs on this machine without asking'),
    isAsked: done.json.actions !== undefined,
    hasRun: existsSync(join(project, 'ran.txt')),
  }).toEqual({ isMarked: true, isAsked: false, hasRun: true });
});
