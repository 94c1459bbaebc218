import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Rewinding } from '../../../src/core/claude/backend.js';
import { deferred } from '../../kit/deferred.js';
import { plainPolicy } from '../../kit/policy.js';
import { redactorOf } from '../../kit/redactors.js';
import { writeTranscript } from '../../sessions/manager-scene.js';
import { createToolScene, openRequest, startVia, type Json, type ToolScene } from './tool-scene.js';

const manage = (scene: ToolScene, action: string, args: Json) =>
  scene.call('claude_code_session', { action, ...args });

/** A session that has finished its first turn. */
async function idle(scene: ToolScene, args: Json = {}) {
  const started = await startVia(scene, args);
  started.process.result();
  return started;
}

const optionsOf = async (scene: ToolScene, sessionId: string): Promise<unknown> =>
  (await scene.callJson('claude_code_session', { action: 'get', sessionId }))['options'];

describe('every action', () => {
  it.each([
    ['list', { model: 'haiku' }, 'model cannot be used with action "list"'],
    ['get', { dryRun: true }, 'dryRun cannot be used with action "get"'],
    ['cancel', { limit: 3 }, 'limit cannot be used with action "cancel"'],
    ['rewind', { permissionMode: 'plan' }, 'permissionMode cannot be used with action "rewind"'],
  ])('%s refuses what it would ignore', async (action, args, words) => {
    const scene = await createToolScene();

    expect(await manage(scene, action, args)).toContain(words);
  });
});

it('an action ignores switches that are off, which models fill in', async () => {
  const scene = await createToolScene();
  const { sessionId } = await idle(scene);

  const got = await manage(scene, 'get', { sessionId, dryRun: false });
  const listed = await manage(scene, 'list', { dryRun: false });

  expect([got, listed]).toEqual([expect.stringContaining(sessionId), expect.stringContaining(sessionId)]);
});

describe('configure', () => {
  it('tells the live process, keeps it, and says so in an event', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene);

    const text = await manage(scene, 'configure', {
      sessionId,
      model: 'haiku',
      permissionMode: 'plan',
    });
    await scene.call('claude_code_reply', { sessionId, prompt: 'more' });
    await process.prompt(1);

    expect(text).toContain('"status":"idle"');
    expect(process.orders).toEqual([{ permissionMode: 'plan' }, { model: 'haiku' }]);
    expect(scene.backend.processes).toHaveLength(1);
    expect(await optionsOf(scene, sessionId)).toMatchObject({
      model: 'haiku',
      permissionMode: 'plan',
    });
    const { events } = await scene.callJson('claude_code_check', {
      sessionId,
      cursor: 0,
      include: ['events'],
      waitMs: 0,
    });
    expect(JSON.stringify(events)).toContain('Permission mode set to plan');
  });

  it('of a session without a process is what the next one starts with', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene);
    await writeTranscript(scene, sessionId);
    process.exit();

    await manage(scene, 'configure', { sessionId, permissionMode: 'acceptEdits' });
    await scene.call('claude_code_reply', { sessionId, prompt: 'more' });

    expect((await scene.backend.process(1)).launch.options.permissionMode).toBe('acceptEdits');
  });

  it('outlives the server', async () => {
    const before = await createToolScene();
    const { sessionId } = await idle(before);
    await manage(before, 'configure', { sessionId, model: 'haiku' });
    await before.manager.shutdown();
    const after = await createToolScene({ root: before.root });

    expect(await optionsOf(after, sessionId)).toMatchObject({ model: 'haiku' });
  });

  it('is not undone by a prompt that was queued before it with options of its own', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await startVia(scene, { permissionMode: 'acceptEdits' });
    await writeTranscript(scene, sessionId);
    await scene.call('claude_code_reply', {
      sessionId,
      prompt: 'later',
      whenBusy: 'queue',
      diskResumeConfig: { effort: 'low' },
    });

    await manage(scene, 'configure', { sessionId, permissionMode: 'default' });
    process.result();

    const next = await scene.backend.process(1);
    expect(next.launch.options).toMatchObject({ effort: 'low', permissionMode: 'default' });
  });

  it.each([
    ['refuses', async () => Promise.reject(new Error('not this one')), 'not this one'],
    ['does not answer', () => new Promise<void>(() => undefined), 'no answer within 5 s'],
  ])('keeps nothing that Claude Code %s', async (_, setPermissionMode, words) => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene);
    const told = deferred();
    process.setPermissionMode = () => {
      told.resolve();
      return setPermissionMode();
    };

    const configured = manage(scene, 'configure', { sessionId, permissionMode: 'plan' });
    await told.promise;
    await setImmediate();
    scene.clock.advance(5_000);

    expect(await configured).toMatch(new RegExp(`^Error \\[UNAVAILABLE\\]: .*${words}`));
    expect(await optionsOf(scene, sessionId)).toMatchObject({ permissionMode: 'default' });
  });

  it.each([
    [{ permissionMode: 'bypassPermissions' }, 'PERMISSION_DENIED'],
    [{ permissionMode: 'sloppy' }, 'INVALID_ARGUMENT'],
    [{ model: '--flag' }, 'INVALID_ARGUMENT'],
    [{}, 'INVALID_ARGUMENT'],
  ])('refuses %j', async (changes, code) => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene);

    const refused = await manage(scene, 'configure', { sessionId, ...changes });

    expect(refused.startsWith(`Error [${code}]: `)).toBe(true);
    expect(process.orders).toEqual([]);
  });

  it.each(['acceptEdits', 'auto'])('refuses %s where a person has to be asked', async (permissionMode) => {
    const scene = await createToolScene({ policy: { ...plainPolicy, approvals: 'human' } });
    const { sessionId, process } = await idle(scene);

    const refused = await manage(scene, 'configure', { sessionId, permissionMode });
    const stricter = await manage(scene, 'configure', { sessionId, permissionMode: 'plan' });

    expect(refused).toMatch(/^Error \[PERMISSION_DENIED\]: .*CLAUDE_CODE_MCP_APPROVALS/);
    expect(stricter).toContain('"status":"idle"');
    expect(process.orders).toEqual([{ permissionMode: 'plan' }]);
  });
});

describe('rewind', () => {
  const messageId = '00000000-0000-4000-8000-00000000000a';
  const checkpoints = { advanced: { enableFileCheckpointing: true } };
  const restores = [
    { messageId, dryRun: true },
    { messageId, dryRun: true },
    { messageId, dryRun: false },
  ];

  async function asked(scene: ToolScene) {
    const started = await idle(scene, checkpoints);
    await manage(scene, 'rewind', { sessionId: started.sessionId, messageId });
    return { ...started, requestId: await openRequest(scene, started.sessionId) };
  }

  it('restores only what was shown and allowed', async () => {
    const scene = await createToolScene();
    const { sessionId, process, requestId } = await asked(scene);
    expect(process.orders).toEqual([{ messageId, dryRun: true }]);

    const done = await scene.callJson('claude_code_respond', { sessionId, requestId, decision: 'allow' });

    expect(done).toMatchObject({ status: 'idle', result: { isError: false, totalCostUsd: 0 } });
    expect(process.orders).toEqual(restores);
  });

  it('does not restore what nobody was shown', async () => {
    const scene = await createToolScene();
    const { process, requestId } = await asked(scene);
    const seen = process.orders.length;
    process.rewindFiles = async (_, how) => {
      process.orders.push(how);
      return { files: ['/p/a.txt', '/p/other.txt'], insertions: 1, deletions: 2, skippedLinks: 0 };
    };

    const failed = await scene.callJson('claude_code_respond', { requestId, decision: 'allow' });

    expect(failed).toMatchObject({ status: 'error', result: { isError: true, errorSubtype: 'other' } });
    expect(process.orders.slice(seen)).toEqual([{ dryRun: true }]);
  });

  it('is not asked again when it was allowed for the session', async () => {
    const scene = await createToolScene();
    const { sessionId, process, requestId } = await asked(scene);
    await scene.call('claude_code_respond', { requestId, decision: 'allow_for_session' });

    await manage(scene, 'rewind', { sessionId, messageId });
    const done = await scene.callJson('claude_code_check', { sessionId });

    expect(done).toMatchObject({ status: 'idle', result: { turn: 3 } });
    expect(process.orders).toEqual([...restores, ...restores]);
  });

  it('is taken back at its deadline', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await asked(scene);

    scene.clock.advance(300_000);
    const over = await scene.callJson('claude_code_check', { sessionId });

    expect(over).toMatchObject({ status: 'idle', result: { outcome: 'interrupted' } });
    expect(process.orders).toEqual([{ messageId, dryRun: true }]);
  });

  it('asks for nothing when there is nothing to restore', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene, checkpoints);
    process.rewindFiles = async () => ({ files: [], insertions: 0, deletions: 0, skippedLinks: 0 });

    const answer = await scene.callJson('claude_code_session', { action: 'rewind', sessionId, messageId });

    expect(answer).toEqual({ sessionId, messageId, insertions: 0, deletions: 0, files: [] });
  });

  it('pages to the last of many files', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene, checkpoints);
    const files = Array.from({ length: 300 }, (_, index) => `/p/${'folder'.repeat(20)}/${index}.txt`);
    process.rewindFiles = async () => ({ files, insertions: 1, deletions: 2, skippedLinks: 0 });
    const look = { action: 'rewind', sessionId, messageId, dryRun: true };

    const first = await scene.callJson('claude_code_session', look);
    let read = '';
    for (let offset: unknown = 0; offset !== undefined;) {
      const page = await scene.callJson('claude_code_session', { ...look, offset });
      read += String(page['text']);
      offset = page['nextOffset'];
    }

    const shown = first['files'] as string[];
    expect(first).toEqual({
      sessionId,
      messageId,
      insertions: 1,
      deletions: 2,
      files: files.slice(0, shown.length),
      moreFiles: 300 - shown.length,
      readMore: `claude_code_session ${JSON.stringify({ action: 'rewind', sessionId, messageId, dryRun: true, offset: 0 })}`,
    });
    expect(read.split('\n')).toEqual(files);
  });

  it('shows no secret in the names of files, neither at once nor in pages', async () => {
    const scene = await createToolScene({ redactor: redactorOf('hush-hush-hush-hush') });
    const { sessionId, process } = await idle(scene, checkpoints);
    const files = ['/p/hush-hush-hush-hush/a.txt'];
    process.rewindFiles = async () => ({ files, insertions: 1, deletions: 2, skippedLinks: 0 });
    const look = { action: 'rewind', sessionId, messageId, dryRun: true };

    const first = await scene.callJson('claude_code_session', look);
    const page = await scene.callJson('claude_code_session', { ...look, offset: 0 });

    const masked = '/p/[redacted]/a.txt';
    expect([first, page]).toMatchObject([{ files: [masked] }, { text: masked }]);
  });

  it('runs what was queued while it looked', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene, checkpoints);
    const looking = deferred();
    const seen = deferred<Rewinding>();
    process.rewindFiles = () => {
      looking.resolve();
      return seen.promise;
    };

    const shown = manage(scene, 'rewind', { sessionId, messageId, dryRun: true });
    await looking.promise;
    await scene.call('claude_code_reply', { sessionId, prompt: 'queued', whenBusy: 'queue' });
    seen.resolve({ files: [], insertions: 0, deletions: 0, skippedLinks: 0 });
    await shown;

    expect(await process.prompt(1)).toMatchObject({ text: 'queued' });
  });

  it('needs the id of a message', async () => {
    const scene = await createToolScene();
    const { sessionId } = await idle(scene, checkpoints);

    expect(await manage(scene, 'rewind', { sessionId })).toContain('requires messageId');
  });
});

describe('get', () => {
  it('leaves out what a live process does not tell within 2 s', async () => {
    const scene = await createToolScene();
    const { sessionId, process } = await idle(scene);
    const asked = deferred();
    process.contextUsage = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    process.mcpServers = async () => [{ name: 'db', status: 'connected' }];

    const got = scene.callJson('claude_code_session', { action: 'get', sessionId });
    await asked.promise;
    await setImmediate();
    scene.clock.advance(2_000);

    expect(await got).toMatchObject({ mcpServers: [{ name: 'db', status: 'connected' }] });
    expect(await got).not.toHaveProperty('contextUsage');
  });

  it('shows no secret in what a server complains of', async () => {
    const scene = await createToolScene({ redactor: redactorOf('hush-hush-hush-hush') });
    const { sessionId, process } = await idle(scene);
    process.mcpServers = async () => [{ name: 'db', status: 'failed', error: 'no hush-hush-hush-hush' }];

    expect(await manage(scene, 'get', { sessionId })).not.toContain('hush-hush');
  });
});
