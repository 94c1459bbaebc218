import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shareScene, type Scene } from '../kit/fixture.js';
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
  const share = shareScene({ era: 'modern' });

  it('that concerns the model or the tools reaches it', async () => {
    const scene = share();

    const plain = await firstRequest(scene, {});
    const chosen = await firstRequest(scene, {
      model: 'claude-sonnet-4-5',
      systemPrompt: 'You are a parrot.',
      advanced: { tools: ['Read'] },
    });
    const extended = await firstRequest(scene, {
      systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Answer in French.' },
      disallowedTools: ['Bash'],
      advanced: { effort: 'low' },
    });

    expect(JSON.stringify(plain['system'])).toContain('Claude');
    expect(plain['output_config']).not.toMatchObject({ effort: 'low' });
    expect(toolNames(plain)).toEqual(expect.arrayContaining(['Bash', 'Read', 'Write']));
    expect(chosen['model']).toContain('claude-sonnet-4-5');
    expect(JSON.stringify(chosen['system'])).toContain('You are a parrot.');
    expect(toolNames(chosen)).toContain('Read');
    expect(toolNames(chosen)).not.toContain('Bash');
    expect(JSON.stringify(extended['system'])).toContain('Answer in French.');
    expect(extended['output_config']).toMatchObject({ effort: 'low' });
    expect(toolNames(extended)).toContain('Read');
    expect(toolNames(extended)).not.toContain('Bash');
  });

  it('that names an agent nobody has defined is refused, and leaves no session', async () => {
    const { server, sandbox } = share();

    const { text: answer } = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      title: 'Parrots',
      advanced: { agent: 'parrot' },
    });
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(answer).toMatch(
      /^Error \[INVALID_ARGUMENT\]: .*agent "parrot" is unknown to Claude Code\. .*Explore/,
    );
    expect(list.text).not.toContain('Parrots');
  });

  it('that names only tools which Claude Code does not have is refused, and leaves no session', async () => {
    const { server, sandbox } = share();
    const start = { prompt: 'hello', cwd: sandbox.project, title: 'Compilers' };

    const refused = await server.call('claude_code', { ...start, advanced: { tools: 'claude_code' } });
    const list = await server.call('claude_code_session', { action: 'list' });
    const older = await server.call('claude_code', { ...start, advanced: { tools: ['Read', 'KillShell'] } });

    expect(refused.text).toBe(
      'Error [INVALID_ARGUMENT]: tools "claude_code" is unknown to Claude Code. Use names such as Read, Edit and Bash, or leave tools out to have all of them.',
    );
    expect(list.text).not.toContain('Compilers');
    expect(older.isError).toBe(false);
  });

  it('that names a folder or sets the mode is honoured: what it allows runs, and the rest asks or is denied', async () => {
    const { server, model, sandbox } = share();
    const other = join(sandbox.root, 'other');
    mkdirSync(other);
    model.when('read it', [tool('Bash', { command: `ls ${other}` }), text('read')]);
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('over')]);
    const start = (prompt: string, args: Record<string, unknown>) =>
      server.call('claude_code', { prompt, cwd: sandbox.project, waitMs: 20_000, ...args });

    const outside = await start('read it', { permissionMode: 'plan' });
    await server.call('claude_code_respond', {
      requestId: outside.json.actions?.[0]?.requestId,
      decision: 'deny',
      waitMs: 20_000,
    });
    const { sessionId } = outside.json;
    const planning = await server.call('claude_code_reply', { sessionId, prompt: 'touch', waitMs: 20_000 });
    const inside = await start('read it', {
      permissionMode: 'dontAsk',
      advanced: { additionalDirectories: [other] },
    });
    const silent = await server.call('claude_code_reply', {
      sessionId: inside.json.sessionId,
      prompt: 'touch',
      waitMs: 20_000,
    });

    expect(outside.json).toMatchObject({ status: 'waiting', actions: [{ blockedPath: other }] });
    expect(inside.json).toMatchObject({ status: 'idle', result: { result: 'read' } });
    expect(planning.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
    expect(silent.json).toMatchObject({ status: 'idle', result: { permissionDenials: ['Bash'] } });
  });
});
