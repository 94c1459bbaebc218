import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onePixel } from '../kit/attached-files.js';
import { startScene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';

/** The parts of the user messages that the model got, except for what Claude Code adds itself. */
function partsOf(
  messages: readonly { readonly role: string; readonly content: unknown }[],
): readonly unknown[] {
  return messages
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ content }) => (Array.isArray(content) ? (content as unknown[]) : []));
}

it.each(['agent-sdk', 'cli'])('attached files reach the model, and expand nothing: %s', async (backend) => {
  const { server, model, sandbox } = await startScene({
    era: 'modern',
    env: {
      CLAUDE_CODE_MCP_BACKEND: backend,
      CLAUDE_CODE_MCP_TRUSTED_ROOTS: '/',
      CLAUDE_CODE_MCP_CALLER_TRUST: 'full',
    },
  });
  const files = { 'shot.png': onePixel, 'notes.md': '/fix @near.txt', 'near.txt': 'SECRET-NEAR' };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(sandbox.project, name), content);
  mkdirSync(join(sandbox.project, '.claude', 'commands'), { recursive: true });
  writeFileSync(
    join(sandbox.project, '.claude', 'commands', 'fix.md'),
    '---\ndescription: fix\n---\nSECRET-COMMAND',
  );
  const held = createGate();
  model.when('begin', [gate(held, tool('Bash', { command: 'echo begun' })), text('begun')]);
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: onePixel.toString('base64') },
  };

  const { json } = await server.call('claude_code', {
    prompt: 'what is this?',
    cwd: sandbox.project,
    attachments: ['shot.png', 'notes.md'],
    // Even here, only the prompt itself is expanded.
    advanced: { slashCommands: true },
    waitMs: 20_000,
  });
  const { sessionId } = json;
  const first = model.requests(sessionId).at(-1)?.body.messages ?? [];
  await server.call('claude_code_reply', { sessionId, prompt: 'begin' });
  await held.reached;
  await server.call('claude_code_reply', {
    sessionId,
    prompt: 'and this?',
    attachments: ['shot.png'],
    whenBusy: 'steer',
  });
  held.open();
  const done = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });
  const denied = await server.call('claude_code_reply', {
    sessionId,
    prompt: 'read it',
    attachments: [join(sandbox.root, 'outside.txt')],
  });

  expect([json, done.json]).toMatchObject([
    { status: 'idle', result: { isError: false } },
    { status: 'idle', result: { isError: false, turn: 3 } },
  ]);
  expect(partsOf(first)).toEqual(
    expect.arrayContaining([
      { type: 'text', text: '<attached_file path="shot.png" type="image/png" />' },
      expect.objectContaining(image),
      expect.objectContaining({ text: expect.stringContaining('\n/fix @near.txt\n') }),
    ]),
  );
  const last = model.requests(sessionId).at(-1)?.body.messages ?? [];
  expect(partsOf(last).filter((part) => JSON.stringify(part).includes(image.source.data))).toHaveLength(2);
  expect(JSON.stringify([first, last])).not.toContain('SECRET-');
  expect(denied.text).toContain("outside.txt is outside the session's folders");
});
