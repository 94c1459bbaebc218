import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

type RequestBody = Readonly<Record<string, unknown>>;

/** The first model request of a session that was started with these options. */
async function firstRequest(
  { server, model, sandbox }: Scene,
  args: Record<string, unknown>,
): Promise<RequestBody> {
  const started = await server.call('claude_code', {
    prompt: 'hello',
    cwd: sandbox.project,
    waitMs: 20_000,
    ...args,
  });
  expect(started.text).toContain('"status":"idle"');
  return model.requests(started.json.sessionId)[0]?.body as RequestBody;
}

function toolNames(body: RequestBody): string[] {
  return (body['tools'] as { name: string }[]).map(({ name }) => name);
}

describe('an option', () => {
  it('that concerns the model reaches it', async () => {
    const scene = await startScene({ era: 'modern' });

    const plain = await firstRequest(scene, {});
    const chosen = await firstRequest(scene, {
      model: 'claude-sonnet-4-5',
      systemPrompt: 'You are a parrot.',
    });
    const extended = await firstRequest(scene, {
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Answer in French.' },
      advanced: { effort: 'low' },
    });

    expect(JSON.stringify(plain['system'])).toContain('Claude');
    expect(chosen['model']).toContain('claude-sonnet-4-5');
    expect(JSON.stringify(chosen['system'])).toContain('You are a parrot.');
    expect(JSON.stringify(extended['system'])).toContain('Answer in French.');
    expect(extended['output_config']).toMatchObject({ effort: 'low' });
    expect(plain['output_config']).not.toMatchObject({ effort: 'low' });
  });

  it('that concerns tools decides which there are', async () => {
    const scene = await startScene({ era: 'modern' });

    const plain = await firstRequest(scene, {});
    const few = await firstRequest(scene, { advanced: { tools: ['Read'] } });
    const without = await firstRequest(scene, { disallowedTools: ['Bash'] });

    expect(toolNames(plain)).toEqual(expect.arrayContaining(['Bash', 'Read', 'Write']));
    expect(toolNames(few)).toContain('Read');
    expect(toolNames(few)).not.toContain('Bash');
    expect(toolNames(without)).not.toContain('Bash');
  });

  it('that names another folder lets Claude look there as in its own', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    const other = join(sandbox.root, 'other');
    mkdirSync(other);
    model.when('read it', [tool('Bash', { command: `ls ${other}` }), text('read')]);
    const start = { prompt: 'read it', cwd: sandbox.project, waitMs: 20_000 };

    const outside = await server.call('claude_code', start);
    const inside = await server.call('claude_code', {
      ...start,
      advanced: { additionalDirectories: [other] },
    });

    expect(outside.json).toMatchObject({ status: 'waiting', actions: [{ blockedPath: other }] });
    expect(inside.json).toMatchObject({ status: 'idle', result: { result: 'read' } });
  });

  it('that sets the mode is honoured: dontAsk denies without asking, plan lets nothing be written unasked', async () => {
    const scene = await startScene({ era: 'modern' });
    const { server, model, sandbox } = scene;
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('over')]);
    const start = { prompt: 'touch', cwd: sandbox.project, waitMs: 20_000 };

    const silent = await server.call('claude_code', { ...start, permissionMode: 'dontAsk' });
    const planning = await server.call('claude_code', { ...start, permissionMode: 'plan' });

    expect(silent.json).toMatchObject({ status: 'idle', result: { permissionDenials: ['Bash'] } });
    expect(planning.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
  });
});
