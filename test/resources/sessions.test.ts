/** Resources, prompts and completions about sessions, through a real client of either era. */
import { describe, expect, it } from 'vitest';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text } from '../kit/model-steps.js';
import { until } from '../kit/until.js';

async function read({ server: { client } }: Pick<InProcessScene, 'server'>, uri: string): Promise<unknown> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  return JSON.parse(content !== undefined && 'text' in content ? content.text : '');
}

async function startFinished(era: 'modern' | 'legacy', args: Record<string, unknown> = {}) {
  const scene = await startInProcess({ era });
  scene.model.when('say it', [text('It is said.')]);
  const { json } = await scene.server.call('claude_code', {
    prompt: 'say it',
    cwd: scene.sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  return { ...scene, sessionId: json.sessionId, uri: `claude-code://sessions/${json.sessionId}` };
}

describe.each(['modern', 'legacy'] as const)('in the %s era', (era) => {
  it('a session can be read: its state, events, transcript and result', async () => {
    const scene = await startFinished(era);
    const { uri, sessionId } = scene;

    const [list, state, events, result] = await Promise.all(
      ['claude-code://sessions', uri, `${uri}/events?after=0`, `${uri}/result`].map((one) =>
        read(scene, one),
      ),
    );

    expect(list).toMatchObject({ sessions: [{ sessionId, status: 'idle', turn: 1 }] });
    expect(state).toMatchObject({ sessionId, status: 'idle', result: { result: 'It is said.' } });
    expect(events).toMatchObject({ sessionId, events: expect.arrayContaining([expect.anything()]) });
    expect(result).toMatchObject({ sessionId, text: 'It is said.' });
  });

  it.each(['claude-code://sessions/00000000-0000-4000-8000-000000000009', 'claude-code://nothing'])(
    '%s is not found',
    async (uri) => {
      const { server } = await startInProcess({ era });

      await expect(server.client.readResource({ uri })).rejects.toMatchObject({
        message: expect.stringContaining(uri),
      });
    },
  );

  it('a client that subscribes hears of changes, and of no other session', async () => {
    const scene = await startFinished(era);
    const { server, sessionId, uri, sandbox } = scene;
    const heard: string[] = [];
    server.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    if (era === 'legacy') await server.client.subscribeResource({ uri });
    else await server.client.listen({ resourceSubscriptions: [uri] });

    await server.call('claude_code', { prompt: 'other', cwd: sandbox.project, waitMs: 20_000 });
    const before = [...heard];
    await server.call('claude_code_reply', { sessionId, prompt: 'again', waitMs: 20_000 });
    // The first turn was announced a moment ago.
    await server.takesTime(500);
    await until('the change is announced', () => heard.length > 0);

    expect(before).toEqual([]);
    expect(new Set(heard)).toEqual(new Set([uri]));
  });

  it.skipIf(era === 'modern')('no client subscribes to an address that is longer than any', async () => {
    const { server } = await startInProcess({ era });
    const subscribe = (chars: number) =>
      server.client.subscribeResource({ uri: 'claude-code://sessions/'.padEnd(chars, 'é') });

    await expect(subscribe(200)).resolves.toEqual(expect.anything());
    await expect(subscribe(201)).rejects.toThrow('The URI is too long for a resource of this server.');
  });

  it('templates and prompts complete sessions and folders', async () => {
    const { server, sessionId, sandbox } = await startFinished(era);
    const { resourceTemplates } = await server.client.listResourceTemplates();
    const complete = async (
      ref: Parameters<typeof server.client.complete>[0]['ref'],
      name: string,
      value: string,
    ) => (await server.client.complete({ ref, argument: { name, value } })).completion.values;

    const ids = await Promise.all(
      resourceTemplates.map(({ uriTemplate }) =>
        complete({ type: 'ref/resource', uri: uriTemplate }, 'id', sessionId.slice(0, 6)),
      ),
    );
    const none = await complete({ type: 'ref/resource', uri: 'claude-code://sessions/{id}' }, 'id', 'zz');
    const folders = await complete({ type: 'ref/prompt', name: 'delegate' }, 'folder', '');
    const sessions = await complete({ type: 'ref/prompt', name: 'continue-session' }, 'session', '');
    const tasks = await complete({ type: 'ref/prompt', name: 'delegate' }, 'task', 'x');

    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'claude-code://sessions/{id}',
      'claude-code://sessions/{id}/events{?after}',
      'claude-code://sessions/{id}/transcript{?offset}',
      'claude-code://sessions/{id}/result{?offset}',
    ]);
    expect({ ids, none, folders, sessions, tasks }).toEqual({
      ids: resourceTemplates.map(() => [sessionId]),
      none: [],
      folders: [sandbox.project],
      sessions: [sessionId],
      tasks: [],
    });
  });

  it('prompts name the tools that are served, and what the person has filled in', async () => {
    const { server } = await startInProcess({ era });

    const { prompts } = await server.client.listPrompts();
    const { messages } = await server.client.getPrompt({
      name: 'delegate',
      arguments: { task: 'Fix the build.', folder: '' },
    });

    expect(prompts.map(({ name }) => name)).toEqual([
      'delegate',
      'review-branch',
      'plan-then-execute',
      'continue-session',
    ]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: {
          type: 'text',
          text: expect.stringMatching(
            /^Start a Claude Code session with claude_code and give it this task:\n\nFix the build\.\n/,
          ),
        },
      },
    ]);
  });

  it.each([
    [{ name: 'delegate', arguments: {} }, 'The prompt delegate needs the argument task.'],
    [{ name: 'nothing' }, 'There is no prompt nothing. Prompts: delegate, '],
  ])('a prompt without what it needs is refused: %o', async (params, message) => {
    const { server } = await startInProcess({ era });

    await expect(server.client.getPrompt(params)).rejects.toThrow(message);
  });
});
