import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';

const terminal = '22222222-2222-4222-8222-222222222222';

/** Starts a session that reads the transcript of a session in the user's terminal. */
async function readTranscript(env: Readonly<Record<string, string>>, wanted: 'Read' | 'Bash') {
  const { server, model, sandbox } = await startInProcess({ era: 'modern', env });
  const folder = join(sandbox.configDir, 'projects', '-project');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${terminal}.jsonl`);
  writeFileSync(path, '{}');
  const call = wanted === 'Read' ? { file_path: path } : { command: `cat ${path}` };
  model.when('go', [tool(wanted, call), text('Done.')]);
  const args = { prompt: 'go', cwd: sandbox.project, allowedTools: [wanted], waitMs: 20_000 };
  return (await server.call('claude_code', args)).json;
}

it.each(['Read', 'Bash'] as const)(
  'a session reads the conversations of others only with approval, even with %s pre-approved',
  async (wanted) => {
    expect(await readTranscript({}, wanted)).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: wanted, reason: 'This reads what Claude Code stored about other sessions' }],
    });
  },
);

it('a session reads the conversations of others where the operator lets callers read them', async () => {
  expect(await readTranscript({ CLAUDE_CODE_MCP_HISTORY: 'read' }, 'Read')).toMatchObject({ status: 'idle' });
});
