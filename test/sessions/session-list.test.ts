import { randomUUID } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionId } from '../../src/core/ids.js';
import { mask } from '../../src/core/observability/mask.js';
import type { SessionListRequest } from '../../src/sessions/session-list.js';
import { freeLocks } from '../kit/locks.js';
import { plainPolicy } from '../kit/policy.js';
import { redactorOf } from '../kit/redactors.js';
import { putTranscript } from '../history/support/transcripts.js';
import { createManagerScene, startIn, type ManagerScene } from './manager-scene.js';

const everything: SessionListRequest = { scope: 'all', limit: 20 };

async function idsOf(
  { manager }: ManagerScene,
  request: Partial<SessionListRequest> = {},
): Promise<string[]> {
  const { entries } = await manager.catalogue.list({ ...everything, ...request });
  return entries.map(({ sessionId }) => sessionId);
}

describe('the session list', () => {
  it('contains the sessions of this server and those on disk, each once, most recent first', async () => {
    const scene = await createManagerScene();
    const { session, process } = await startIn(scene);
    process.result();
    const cwd = scene.project;
    const later = await putTranscript(scene.claudeHome, { cwd, modifiedAt: 5_000_000_000 });
    const earlier = await putTranscript(scene.claudeHome, { cwd, modifiedAt: 0 });
    await putTranscript(scene.claudeHome, { cwd, sessionId: session.id, prompt: 'ours', modifiedAt: 1 });

    const { entries } = await scene.manager.catalogue.list(everything);

    expect(entries.map(({ sessionId }) => sessionId)).toEqual([
      later.sessionId,
      session.id,
      earlier.sessionId,
    ]);
    expect(entries[1]).toMatchObject({
      ours: session.view,
      disk: { firstPrompt: 'ours', cwd },
      ownerPid: undefined,
    });
  });

  it('is read by few calls at once, and not for a client that has left meanwhile', async () => {
    const { manager } = await createManagerScene();
    const leaving = new AbortController();
    const list = (signal?: AbortSignal) => manager.catalogue.list(everything, signal);

    const first = [list(), list()];
    const left = list(leaving.signal);
    const last = list();
    leaving.abort();
    const answers = await Promise.allSettled([...first, left, last]);

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    await expect(left).rejects.toMatchObject({ reason: 'call_cancelled' });
  });

  it('says the same of a session that someone looks at', async () => {
    const scene = await createManagerScene();
    const [first, second] = [await startIn(scene), await startIn(scene)];
    first.process.result();
    scene.clock.advance(1_000);
    second.process.result();
    const before = await scene.manager.catalogue.list(everything);
    scene.clock.advance(60_000);

    const found = await scene.manager.find(first.session.id);
    const shown = await scene.manager.findToShow(first.session.id);

    expect([found, shown]).toEqual([first.session, first.session]);
    expect(before.entries.map(({ sessionId }) => sessionId)).toEqual([second.session.id, first.session.id]);
    expect(await scene.manager.catalogue.list(everything)).toEqual(before);
    expect(scene.manager.list()).toEqual([second.session, first.session]);
  });

  it('says when a session was last used, also of one that was read from disk', async () => {
    const before = await createManagerScene();
    const { session, process } = await startIn(before);
    process.result();
    const usedAt = session.view.lastUsedAt;
    await before.records.flush();
    const scene = await createManagerScene({ root: before.root, alive: new Set<number>() });
    scene.clock.advance(60_000);
    const foreign = await putTranscript(scene.claudeHome, { cwd: scene.project, modifiedAt: 5 });

    const restored = await scene.manager.find(session.id);
    const shown = await scene.manager.findToShow(foreign.sessionId as SessionId);

    expect([restored.view.lastUsedAt, shown.view.lastUsedAt]).toEqual([usedAt, 5_000]);
  });

  it('contains the sessions on record, with their state, without restoring them', async () => {
    const before = await createManagerScene();
    const { session: done, process } = await startIn(before, { title: 'Done' });
    process.result();
    const { session: cut } = await startIn(before);
    await before.records.flush();
    const alive = new Set<number>();
    const scene = await createManagerScene({ root: before.root, alive });

    const { entries } = await scene.manager.catalogue.list({ scope: 'server', limit: 20 });

    expect(scene.manager.list()).toEqual([]);
    expect(entries.map(({ sessionId }) => sessionId).toSorted()).toEqual([done.id, cut.id].toSorted());
    const states = new Map(entries.map(({ sessionId, ours }) => [sessionId, ours?.state]));
    expect(states.get(done.id)).toEqual({ status: 'idle', outcome: 'completed' });
    expect(states.get(cut.id)).toEqual({ status: 'error', outcome: 'failed' });
    expect(entries.find(({ sessionId }) => sessionId === done.id)?.ours).toMatchObject({ title: 'Done' });
  });

  it('shows which server runs a session', async () => {
    const alive = new Set([501, 502]);
    const before = await createManagerScene({ pid: 501, alive });
    const { session } = await startIn(before);
    await before.records.flush();
    const scene = await createManagerScene({ root: before.root, pid: 502, alive });

    const { entries } = await scene.manager.catalogue.list({ scope: 'server', limit: 20 });

    expect(entries).toMatchObject([
      { sessionId: session.id, ours: { state: { status: 'running' }, elsewhere: 501 } },
    ]);
  });

  it('leaves out records outside the roots, and files that only hold costs', async () => {
    const before = await createManagerScene();
    const { session } = await startIn(before);
    const { process } = await startIn(before, { persistSession: false });
    process.result({ costUsd: 1 });
    await before.records.flush();
    const folders = (roots: string[]) => ({
      claudeHome: before.claudeHome,
      defaultCwd: before.project,
      bounds: { home: '', stateDir: '', claudeDir: '', listed: [], trusted: [], roots },
    });
    const inside = await createManagerScene({ root: before.root, folders: folders([before.project]) });
    const outside = await createManagerScene({ root: before.root, folders: folders(['/elsewhere']) });

    expect(await idsOf(inside, { scope: 'server' })).toEqual([session.id]);
    expect(await idsOf(outside, { scope: 'server' })).toEqual([]);
  });

  it('is the same after a restart for a session whose id Claude Code has changed', async () => {
    const cleared = randomUUID();
    const before = await createManagerScene();
    const { session, process } = await startIn(before);
    process.signal({ type: 'init', claudeSessionId: cleared, tools: [], permissionMode: 'default' });
    process.result();
    await before.records.flush();
    await putTranscript(before.claudeHome, { sessionId: session.id, prompt: 'before' });
    await putTranscript(before.claudeHome, { sessionId: cleared, prompt: 'after' });
    const scene = await createManagerScene({ root: before.root });

    const { entries } = await scene.manager.catalogue.list(everything);

    expect(entries).toMatchObject([{ sessionId: session.id, disk: { firstPrompt: 'after' } }]);
  });

  it('respects its scope', async () => {
    const scene = await createManagerScene();
    const { session: unsaved } = await startIn(scene);
    const { session: saved } = await startIn(scene);
    await putTranscript(scene.claudeHome, { sessionId: saved.id, modifiedAt: 1 });
    const { sessionId } = await putTranscript(scene.claudeHome, { modifiedAt: 0 });

    expect((await idsOf(scene, { scope: 'server' })).toSorted()).toEqual([unsaved.id, saved.id].toSorted());
    expect(await idsOf(scene, { scope: 'disk' })).toEqual([saved.id, sessionId]);
    expect(await idsOf(scene, { scope: 'all' })).toHaveLength(3);
  });

  it('has one entry for a session whose id Claude Code has changed', async () => {
    const cleared = randomUUID();
    const scene = await createManagerScene();
    const { session, process } = await startIn(scene);
    process.signal({ type: 'init', claudeSessionId: cleared, tools: [], permissionMode: 'default' });
    await putTranscript(scene.claudeHome, { sessionId: session.id, prompt: 'before' });
    await putTranscript(scene.claudeHome, { sessionId: cleared, prompt: 'after' });

    const { entries } = await scene.manager.catalogue.list(everything);

    expect(entries).toMatchObject([{ sessionId: session.id, disk: { firstPrompt: 'after' } }]);
  });

  it('counts entries that it does not show and files that it skips', async () => {
    const scene = await createManagerScene();
    const ids: string[] = [];
    for (let age = 0; age < 7; age += 1) {
      const { sessionId } = await putTranscript(scene.claudeHome, { modifiedAt: 1_000 - age });
      ids.push(sessionId);
    }
    await putTranscript(scene.claudeHome, { content: '', modifiedAt: 999.5 });
    await putTranscript(scene.claudeHome, { content: '{"type":"us', modifiedAt: 998.5 });
    const { catalogue } = scene.manager;

    const first = await catalogue.list({ ...everything, limit: 3 });
    const second = await catalogue.list({ ...everything, limit: 3, offset: 3 });
    const filtered = await catalogue.list({ ...everything, limit: 3, query: 'HELLO' });
    const past = await catalogue.list({ ...everything, offset: 50 });

    expect(first).toMatchObject({ entries: ids.slice(0, 3).map(withId), more: 4, skipped: 2 });
    expect(second).toMatchObject({ entries: ids.slice(3, 6).map(withId), more: 1, skipped: 2 });
    expect(filtered).toMatchObject({ entries: ids.slice(0, 3).map(withId), more: 4, skipped: 2 });
    expect(past).toEqual({ entries: [], more: 0, skipped: 2 });
  });

  it('searches title, first prompt and folder, ignoring case', async () => {
    const scene = await createManagerScene();
    const { session } = await startIn(scene, { title: 'Release notes' });
    const prompted = await putTranscript(scene.claudeHome, { prompt: 'Fix the RELEASE build' });
    const titled = await putTranscript(scene.claudeHome, { title: 'released' });
    const placed = await putTranscript(scene.claudeHome, { cwd: '/srv/Release-tools' });
    await putTranscript(scene.claudeHome, { prompt: 'something else' });

    const found = await idsOf(scene, { query: 'release' });

    expect(found.toSorted()).toEqual(
      [session.id, prompted.sessionId, titled.sessionId, placed.sessionId].toSorted(),
    );
  });

  it('filters by the real path of a folder', async () => {
    const scene = await createManagerScene();
    const { root, project, claudeHome } = scene;
    const { session } = await startIn(scene);
    const here = await putTranscript(claudeHome, { cwd: project });
    // Another folder whose transcripts Claude Code stores in the same place.
    await putTranscript(claudeHome, { cwd: project.replace(/.project$/, '-project') });
    await putTranscript(claudeHome, { cwd: join(project, 'deeper') });
    const gone = await putTranscript(claudeHome, { cwd: '/gone' });
    await symlink(project, join(root, 'link'));

    const found = await idsOf(scene, { projectDirectory: join(root, 'link') });

    expect(found.toSorted()).toEqual([session.id, here.sessionId].toSorted());
    expect(await idsOf(scene, { projectDirectory: '/gone' })).toEqual([gone.sessionId]);
    await expect(idsOf(scene, { projectDirectory: '~/project' })).rejects.toMatchObject({
      params: { path: '~/project', meant: expect.stringMatching(/\/project$/) },
    });
    await expect(idsOf(scene, { projectDirectory: 'project' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('excludes folders outside the roots, even through links', async () => {
    const { root, project, stateDir, claudeHome } = await createManagerScene();
    const bounds = {
      home: join(root, 'home'),
      stateDir,
      claudeDir: join(root, 'claude'),
      listed: [],
      trusted: [],
    };
    const scene = await createManagerScene({
      root,
      folders: { claudeHome, defaultCwd: project, bounds: { ...bounds, roots: [project] } },
    });
    await mkdir(join(root, 'outside'));
    await mkdir(join(project, 'inner'));
    await symlink(join(root, 'outside'), join(project, 'link'));
    const inside = await putTranscript(claudeHome, { cwd: join(project, 'inner') });
    await putTranscript(claudeHome, { cwd: join(root, 'outside') });
    await putTranscript(claudeHome, { cwd: join(project, 'link') });
    await putTranscript(claudeHome, { cwd: join(project, 'gone') });
    const { session } = await startIn(scene);

    const page = await scene.manager.catalogue.list(everything);
    await rm(project, { recursive: true });

    expect(page).toMatchObject({ more: 0, skipped: 0 });
    expect(page.entries.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [session.id, inside.sessionId].toSorted(),
    );
    expect(await idsOf(scene)).toEqual([session.id]);
  });

  it('shows no sessions on disk if the operator has turned history off', async () => {
    const scene = await createManagerScene({ policy: { ...plainPolicy, history: 'off' } });

    expect(await idsOf(scene, { scope: 'server' })).toEqual([]);
    for (const scope of ['disk', 'all'] as const) {
      await expect(idsOf(scene, { scope })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        reason: 'listing_refused',
      });
    }
  });

  it('redacts secrets in folders, in search and after they become known', async () => {
    const secret = 'planted-5Zz1-w8Np';
    const redactor = redactorOf('something-else-entirely');
    const scene = await createManagerScene({ redactor });
    await putTranscript(scene.claudeHome, { prompt: `use ${secret} there`, cwd: `/srv/${secret}` });
    await scene.manager.catalogue.list(everything);
    redactor.learn([secret]);

    const { entries } = await scene.manager.catalogue.list(everything);

    expect(entries).toMatchObject([{ disk: { firstPrompt: `use ${mask} there`, cwd: `/srv/${mask}` } }]);
    expect(await idsOf(scene, { query: secret })).toEqual([]);
    expect(await idsOf(scene, { query: 'srv' })).toHaveLength(1);
  });

  it('shows which other process has a session open', async () => {
    const { root, claudeHome } = await createManagerScene();
    const conversations = { claudeHome, startTimeOf: async () => 'start', locks: freeLocks };
    const scene = await createManagerScene({ root, conversations });
    const { session, process } = await startIn(scene);
    const { sessionId } = await putTranscript(claudeHome, { modifiedAt: 1 });
    await mkdir(claudeHome.sessionsDir, { recursive: true });
    const register = (pid: number, id: string) =>
      writeFile(
        join(claudeHome.sessionsDir, `${pid}.json`),
        JSON.stringify({ pid, sessionId: id, procStart: 'start' }),
      );
    await register(process.pid, session.id);
    await register(4711, sessionId);

    const { entries } = await scene.manager.catalogue.list(everything);

    expect(entries.map(({ ownerPid }) => ownerPid)).toEqual([undefined, 4711]);
  });
});

function withId(sessionId: string): { sessionId: string } {
  return { sessionId };
}
