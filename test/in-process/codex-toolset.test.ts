import { describe, expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';
import { text, tool, tools } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { exists, touch, wants } from '../kit/approval-moves.js';

const env = { CLAUDE_CODE_MCP_TOOLSETS: 'codex' } as const;
const threadId = expect.stringMatching(/^[\da-f-]{36}$/);

describe.each(['modern', 'legacy'] as const)('the codex toolset, %s era', (era) => {
  it('runs a task and continues it, with the inputs and outputs of the retired server', async () => {
    const { server, model, sandbox } = await startInProcess({ era, env });
    model.when('say it', [text('Said.')]);
    model.when('again', [text('Said again.')]);

    const first = await server.client.callTool({
      name: 'codex',
      arguments: { prompt: 'say it', cwd: sandbox.project, model: 'gpt-5-codex', 'approval-policy': 'never' },
    });
    const conversationId = (first.structuredContent as { threadId: string }).threadId;
    const second = await server.client.callTool({
      name: 'codex-reply',
      arguments: { conversationId, prompt: 'again' },
    });

    expect([first, second]).toMatchObject([
      {
        content: [{ type: 'text', text: 'Said.' }],
        structuredContent: { threadId, content: 'Said.', ignored: ['model'] },
      },
      {
        content: [{ type: 'text', text: 'Said again.' }],
        structuredContent: { threadId: conversationId, content: 'Said again.' },
      },
    ]);
  });

  it('lets a person approve in a form', async () => {
    const scene = await startInProcess({ era, env, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'allow' }));
    wants(scene, tool('Bash', touch));

    const done = await scene.server.client.callTool({
      name: 'codex',
      arguments: { prompt: 'do it', cwd: scene.sandbox.project },
    });

    expect(done).toMatchObject({ structuredContent: { content: 'over' } });
    expect(exists(scene, 'a.txt')).toBe(true);
    expect(person.forms).toHaveLength(1);
  });
});

it('what no person can approve is denied and listed', async () => {
  const scene = await startInProcess({ era: 'modern', env });
  wants(scene, tool('Bash', touch));

  const done = await scene.server.client.callTool({
    name: 'codex',
    arguments: { prompt: 'do it', cwd: scene.sandbox.project },
  });

  expect(done.structuredContent).toEqual({
    threadId,
    content: 'over',
    denied: [expect.stringContaining('touch a.txt')],
  });
  expect(exists(scene, 'a.txt')).toBe(false);
});

it('what was denied is named once for each call, at most five times, with a note of how many more there are', async () => {
  const scene = await startInProcess({ era: 'modern', env });
  const command = (index: number): string =>
    `npm run build -- --workspace ${'package'.repeat(12)} --part ${index}`;
  const description = 'Build this part of the workspace before the next one can be built';
  wants(
    scene,
    tools(Array.from({ length: 7 }, (_, index) => tool('Bash', { command: command(index), description }))),
  );

  const done = await scene.server.client.callTool({
    name: 'codex',
    arguments: { prompt: 'do it', cwd: scene.sandbox.project },
  });

  const why = 'nobody can be asked: the client cannot show forms';
  expect((done.structuredContent as { denied: string[] }).denied).toEqual([
    ...Array.from(
      { length: 5 },
      (_, index) => `Bash: \`${command(index)}\`. Claude says: "${description}" (${why})`,
    ),
    '2 more requests were denied',
  ]);
});

it('full access is refused unless the operator allows it', async () => {
  const { server, sandbox } = await startInProcess({ era: 'modern', env });

  const refused = await server.call('codex', {
    prompt: 'do it',
    cwd: sandbox.project,
    sandbox: 'danger-full-access',
  });

  expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: callers may not use sandbox/);
});

it.each(['threadId', 'conversationId', 'sessionId'])(
  'a task with a %s points to the tool that continues it',
  async (key) => {
    const { server } = await startInProcess({ era: 'modern', env });

    const refused = await server.call('codex', {
      prompt: 'do it',
      [key]: '0ce8f191-ed07-4899-80fc-4df1b95b91a6',
    });

    expect(refused.text).toBe(
      `Error [INVALID_ARGUMENT]: unknown key "${key}": this tool always starts a new session. Call codex-reply to continue a session, or leave the key out to start one.`,
    );
  },
);

it('a long answer is read to its end', async () => {
  const { server, model, sandbox } = await startInProcess({ era: 'modern', env });
  const long = Array.from({ length: 3_000 }, (_, index) => `line ${index}`).join('\n');
  model.when('say it', [text(long)]);
  const args = { prompt: 'say it', cwd: sandbox.project };

  const { content, structuredContent } = await server.client.callTool({ name: 'codex', arguments: args });
  const first = structuredContent as { threadId: string; content: string; readMore: string };
  let offset: number | undefined = Number(/"resultOffset":(\d+)/.exec(first.readMore)?.[1]);
  let read = first.content.slice(0, offset);
  for (let page = 0; offset !== undefined && page < 20; page += 1) {
    const call = { threadId: first.threadId, resultOffset: offset };
    const { structuredContent } = await server.client.callTool({ name: 'codex-reply', arguments: call });
    const { text: more, nextOffset } = structuredContent as { text: string; nextOffset?: number };
    read += more;
    offset = nextOffset;
  }

  expect(read).toBe(long);
  // Some clients pass only the text on.
  expect(content).toEqual([
    { type: 'text', text: first.content },
    { type: 'text', text: `readMore: ${first.readMore}` },
  ]);
});
