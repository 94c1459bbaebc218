import { join } from 'node:path';
import { expect, it } from 'vitest';
import { restartInProcess, startInProcess } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';

const grant = (rule: string) => [{ type: 'addRules', rules: [{ toolName: rule }], behavior: 'allow' }];

/** A session whose caller could approve and pre-approve, because its client could ask nobody. */
async function startAlone(options: object) {
  const scene = await startInProcess({ era: 'legacy' });
  const { server, model, sandbox } = scene;
  model.when('begin', [tool('Bash', { command: 'touch a.txt' }), text('Hello.')]);
  model.when('go on', [
    tool('Bash', { command: 'touch a.txt' }),
    tool('Write', { file_path: join(sandbox.project, 'b.txt'), content: 'x' }),
    text('Done.'),
  ]);
  const args = { prompt: 'begin', cwd: sandbox.project, waitMs: 20_000, ...options };
  const { sessionId, actions: [asked] = [] } = (await server.call('claude_code', args)).json;
  const allow = (answer: object) =>
    server.call('claude_code_respond', { requestId: asked?.requestId, waitMs: 20_000, ...answer });
  return { scene, sessionId, allow };
}

it.each<[string, object, object | undefined]>([
  ['tools', { allowedTools: ['Bash', 'Write'] }, undefined],
  ['a mode', { permissionMode: 'acceptEdits' }, undefined],
  ['an approval for the session', {}, { decision: 'allow_for_session' }],
  ['rules that came with an approval', {}, { decision: 'allow', updatedPermissions: grant('Bash') }],
])(
  'where a person can be asked, %s of a client without a person do not count',
  async (_what, options, answer) => {
    const { scene, sessionId, allow } = await startAlone(options);
    if (answer !== undefined) await allow(answer);
    const { server } = await restartInProcess(scene, { era: 'legacy', capabilities: formCapability });
    const person = seatPerson(server, () => accept({ decision: 'deny' }));

    await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });

    expect(person.forms.map(({ message }) => message.split('\n')[0])).toEqual([
      'Allow Claude Code to run `touch a.txt` in project?',
      `Allow Claude Code to write \`${join(scene.sandbox.project, 'b.txt')}\`?`,
    ]);
  },
);

it('a look at what could be restored, which starts a process, changes none of this', async () => {
  const { scene, sessionId, allow } = await startAlone({
    allowedTools: ['Write'],
    advanced: { enableFileCheckpointing: true },
  });
  await allow({ decision: 'allow', updatedPermissions: grant('Bash') });
  const { server, world } = await restartInProcess(scene, { era: 'legacy', capabilities: formCapability });
  const person = seatPerson(server, () => accept({ decision: 'deny' }));
  const look = { action: 'rewind', sessionId, messageId: crypto.randomUUID(), dryRun: true };
  await server.call('claude_code_session', look);
  const started = world.launches.length;

  const { json } = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });

  expect(started).toBe(2);
  expect(person.forms).toHaveLength(2);
  expect(json).toMatchObject({ status: 'idle', notRestored: ['allowedTools'] });
});

it('a client that can ask nobody either keeps what was allowed before', async () => {
  const { scene, sessionId } = await startAlone({ allowedTools: ['Bash', 'Write'] });
  const { server } = await restartInProcess(scene, { era: 'legacy' });

  const { json } = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });

  expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  expect(json).not.toHaveProperty('notRestored');
});

it('a person who has answered keeps what they allowed for the session', async () => {
  const first = await startInProcess({ era: 'legacy', capabilities: formCapability });
  const { model, sandbox } = first;
  model.when('go', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  seatPerson(first.server, () => accept({ decision: 'allow_for_session' }));
  const { sessionId } = (
    await first.server.call('claude_code', { prompt: 'go', cwd: sandbox.project, waitMs: 20_000 })
  ).json;
  const { server } = await restartInProcess(first, { era: 'legacy', capabilities: formCapability });
  const person = seatPerson(server, () => accept({ decision: 'deny' }));

  const { json } = await server.call('claude_code_reply', { sessionId, prompt: 'go', waitMs: 20_000 });

  expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
  expect(person.forms).toEqual([]);
});
