import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudePids } from '../kit/claude-pids.js';
import { shared, startScene, type AtEnd, type Scene, type SceneOptions } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { until } from '../kit/until.js';

interface Edited {
  readonly scene: Scene;
  readonly sessionId: string;
  readonly messageId: string;
  readonly paths: { readonly old: string; readonly created: string };
}

/** A session that has changed one file and made another, after a turn that changed nothing. */
async function edited(
  options: Partial<SceneOptions> = {},
  start: object = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Edited> {
  const scene = await startScene({ era: 'modern', ...options }, atEnd);
  const { server, model, sandbox } = scene;
  const paths = { old: join(sandbox.project, 'a.txt'), created: join(sandbox.project, 'new.txt') };
  writeFileSync(paths.old, 'one\n');
  model.when('edit', [
    tool('Read', { file_path: paths.old }),
    tool('Write', { file_path: paths.old, content: 'two\nthree\n' }),
    tool('Write', { file_path: paths.created, content: 'n' }),
    text('edited'),
  ]);
  const { json } = await server.call('claude_code', {
    prompt: 'edit',
    cwd: sandbox.project,
    permissionMode: 'acceptEdits',
    advanced: { enableFileCheckpointing: true },
    waitMs: 20_000,
    ...start,
  });
  expect(json).toMatchObject({ status: 'idle', result: { result: 'edited' } });
  const { sessionId } = json;
  const page = await server.call('claude_code_session', { action: 'transcript', sessionId, order: 'oldest' });
  const [first] = (page.json as unknown as { messages: { uuid: string }[] }).messages;
  return { scene, sessionId, messageId: first?.uuid ?? '', paths };
}

const rewind = ({ scene, sessionId, messageId }: Edited, args: Record<string, unknown> = {}) =>
  scene.server.call('claude_code_session', { action: 'rewind', sessionId, messageId, ...args });

const requestOf = (answer: Awaited<ReturnType<typeof rewind>>) => answer.json.actions?.[0]?.requestId;

function expectUntouched({ paths }: Edited): void {
  expect(readFileSync(paths.old, 'utf8')).toBe('two\nthree\n');
  expect(existsSync(paths.created)).toBe(true);
}

function expectRestored({ paths }: Edited): void {
  expect(readFileSync(paths.old, 'utf8')).toBe('one\n');
  expect(existsSync(paths.created)).toBe(false);
}

describe('rewind', () => {
  // The last case restores the files that all others leave as they are.
  const share = shared((atEnd) => edited({}, {}, atEnd));

  it('shows what it would change, and changes nothing', async () => {
    const stage = share();

    const shown = await rewind(stage, { dryRun: true });

    expect(shown.json).toEqual({
      sessionId: stage.sessionId,
      messageId: stage.messageId,
      insertions: 1,
      deletions: 3,
      files: [stage.paths.old, stage.paths.created],
    });
    expectUntouched(stage);
  });

  it('changes nothing when it is denied', async () => {
    const stage = share();
    const asked = await rewind(stage);

    const denied = await stage.scene.server.call('claude_code_respond', {
      requestId: requestOf(asked),
      decision: 'deny',
      message: 'Keep them.',
    });

    expect(denied.json).toMatchObject({
      status: 'idle',
      result: { outcome: 'interrupted', result: 'No files were restored. Keep them.' },
    });
    expectUntouched(stage);
  });

  it('cannot be edited while it is allowed, and an interrupt takes it back', async () => {
    const stage = share();
    const { server } = stage.scene;
    const asked = await rewind(stage);

    const refused = await server.call('claude_code_respond', {
      requestId: requestOf(asked),
      decision: 'allow',
      updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Read' }] }],
    });
    const { sessionId } = stage;
    const stopped = await server.call('claude_code_session', { action: 'interrupt', sessionId });

    expect(refused.text).toMatch(/^Error \[INVALID_ARGUMENT\]: updatedPermissions cannot be used with/);
    expect(stopped.json).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    expectUntouched(stage);
  });

  it('refuses a running turn, an unknown message, and a session without checkpoints', async () => {
    const stage = share();
    const { server, model, sandbox } = stage.scene;
    const unknown = await rewind(stage, { messageId: '00000000-0000-4000-8000-000000000000' });
    const held = createGate();
    model.when('hold', [gate(held, text('held'))]);
    await server.call('claude_code_reply', { sessionId: stage.sessionId, prompt: 'hold' });
    await held.reached;
    const busy = await rewind(stage, { dryRun: true });
    held.open();
    await server.call('claude_code_check', { sessionId: stage.sessionId, waitMs: 20_000 });
    const plain = await server.call('claude_code', { prompt: 'x', cwd: sandbox.project, waitMs: 20_000 });
    const without = await rewind({ ...stage, sessionId: plain.json.sessionId });

    expect(unknown.text).toMatch(/^Error \[INVALID_ARGUMENT\]: message .* has no file checkpoint/);
    expect(busy.text).toMatch(/^Error \[SESSION_BUSY\]/);
    expect(without.text).toMatch(/^Error \[INVALID_ARGUMENT\]: .*checkpoints.*enableFileCheckpointing/);
  });

  it('asks like any write, and restores the files when it is allowed', async () => {
    const stage = share();
    const { server } = stage.scene;

    const asked = await rewind(stage);
    expect(asked.json).toMatchObject({
      status: 'waiting',
      actions: [
        {
          type: 'permission',
          toolName: 'Rewind',
          input: { messageId: stage.messageId, files: [stage.paths.old, stage.paths.created] },
        },
      ],
    });
    expectUntouched(stage);
    const done = await server.call('claude_code_respond', { requestId: requestOf(asked), decision: 'allow' });

    expect(done.json).toMatchObject({ status: 'idle', result: { outcome: 'completed', totalCostUsd: 0 } });
    expect(done.json.result?.result).toMatch(/^Restored 2 files to the state before message/);
    expectRestored(stage);
    const { sessionId } = stage;
    const replied = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });
    expect(replied.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
  });

  it('works on a session whose process is gone, without a prompt', async () => {
    const stage = await edited({ env: { CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' } });
    const { server, sandbox, model } = stage.scene;
    await until('the process is closed', () => claudePids(sandbox).length === 0);
    const before = model.requests().length;

    const asked = await rewind(stage);
    const done = await server.call('claude_code_respond', { requestId: requestOf(asked), decision: 'allow' });

    expect(done.json).toMatchObject({ status: 'idle', result: { outcome: 'completed' } });
    expectRestored(stage);
    expect(model.requests()).toHaveLength(before);
    await until('the process is closed again', () => claudePids(sandbox).length === 0);
  });

  it('is not for a caller to allow where only people approve', async () => {
    const stage = await edited(
      {
        env: {
          CLAUDE_CODE_MCP_APPROVALS: 'human',
          CLAUDE_CODE_DEFAULT_PERMISSION_MODE: 'acceptEdits',
          CLAUDE_CODE_MCP_PREALLOW: 'Write',
        },
      },
      { allowedTools: ['Write'] },
    );

    const asked = await rewind(stage);
    const refused = await stage.scene.server.call('claude_code_respond', {
      requestId: requestOf(asked),
      decision: 'allow',
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ accepts: ['deny'] }] });
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: only a person may approve/);
    expectUntouched(stage);
  });

  it.each(['modern', 'legacy'] as const)(
    'is put before a person, whose yes restores the files, in the %s era',
    async (era) => {
      // A caller may not choose the mode where a person can be asked.
      const env = { CLAUDE_CODE_DEFAULT_PERMISSION_MODE: 'acceptEdits' };
      const stage = await edited({ era, env, capabilities: formCapability }, { permissionMode: undefined });
      const { server } = stage.scene;
      const person = seatPerson(server, () => accept({ decision: 'allow' }));

      await rewind(stage);
      const { sessionId } = stage;
      const done = await server.call('claude_code_check', { sessionId, waitMs: 20_000 });
      const refused = await server.call('claude_code_session', {
        action: 'configure',
        sessionId,
        permissionMode: 'auto',
      });

      expect(person.forms[0]?.message).toContain(`> messageId: ${stage.messageId}`);
      expect(person.forms[0]?.message).toContain('Reason: "The caller wants to restore these files');
      expect(done.json).toMatchObject({ status: 'idle', result: { outcome: 'completed' } });
      expectRestored(stage);
      // From now on a person answers for this client.
      expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: permissionMode "auto"/);
    },
  );
});
