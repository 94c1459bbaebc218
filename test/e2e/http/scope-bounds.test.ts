import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { text, tool } from '../../kit/model-steps.js';
import { connectHttp, startService } from '../../kit/service.js';
import { serverEntry } from '../../kit/server-entry.js';

const question = {
  questions: [
    {
      question: 'Which one?',
      header: 'Choice',
      multiSelect: false,
      options: [
        { label: 'A', description: 'a' },
        { label: 'B', description: 'b' },
      ],
    },
  ],
};

/** A service where callers may approve, and a client for each of two tokens. Only that of the person may answer. */
async function startForTwo() {
  const { model, sandbox } = await startBackstage();
  const env = { ...sandbox.env(model), CLAUDE_CODE_MCP_APPROVALS: 'any' };
  const service = await startService({ sandbox, model, env });
  const created = await promisify(execFile)(
    process.execPath,
    [serverEntry, 'token', 'create', 'script', '--scope', 'call', '--json'],
    { env },
  );
  const { token } = JSON.parse(created.stdout) as { token: string };
  const person = await connectHttp(service.url, { era: 'modern', token: service.token });
  const script = await connectHttp(service.url, { era: 'modern', token });
  return { model, sandbox, person, script };
}

it('a session of a token that may not answer stays within its folder after another token has answered', async () => {
  const { model, sandbox, person, script } = await startForTwo();
  const outside = join(sandbox.home, 'notes.txt');
  writeFileSync(outside, 'private notes\n');
  model.when('read it', [
    tool('Bash', { command: 'touch made.txt' }),
    tool('Read', { file_path: outside }),
    text('Done.'),
  ]);

  const asked = await script.call('claude_code', {
    prompt: 'read it',
    cwd: sandbox.project,
    allowedTools: ['Read'],
    waitMs: 20_000,
  });
  const requestId = asked.json.actions?.[0]?.requestId;
  const answered = await person.call('claude_code_respond', { requestId, decision: 'allow', waitMs: 20_000 });

  expect(answered.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Read' }] });
});

it('a token that may not answer cannot use what another has pre-approved for a session', async () => {
  const { model, sandbox, person, script } = await startForTwo();
  model.when('hello', [tool('AskUserQuestion', question), text('Hello.')]);
  model.when('make it', [tool('Bash', { command: 'touch made.txt' }), text('Done.')]);
  const { json: own } = await person.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    allowedTools: ['Bash'],
    waitMs: 20_000,
  });
  const { sessionId, actions } = own;

  // In the middle of a turn that may run it.
  for (const prompt of ['make it', 'make it now'])
    await script.call('claude_code_reply', { sessionId, prompt, whenBusy: 'steer', waitMs: 0 });
  const requestId = actions?.[0]?.requestId;
  await person.call('claude_code_respond', { requestId, decision: 'deny', waitMs: 20_000 });
  const asked = await script.call('claude_code_check', { sessionId, waitMs: 20_000 });

  expect(asked.json).toMatchObject({ status: 'waiting', queuedPrompts: 1, actions: [{ toolName: 'Bash' }] });
  expect(existsSync(join(sandbox.project, 'made.txt'))).toBe(false);
});
