import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isSameProcess } from '../../src/platform/processes.js';
import { startBackstage, type Scene, type SceneOptions } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { gate, streamThenHang, text, tool } from '../kit/model-steps.js';
import { connectServer, type ServerClient } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { watchdogOf } from '../kit/watchdog.js';
import { backends, reply } from './faults/fault-scene.js';

const onLinux = describe.skipIf(process.platform !== 'linux');

/** A command that ignores requests to exit, and another that has left its session besides. */
const stubborn = `trap '' TERM INT HUP; setsid tail -f /dev/null & tail -s 2 -f /dev/null`;
const commands = ['-f', '-s 2 -f', '-s 3 -f'].map((how) => `tail ${how} /dev/null`);

/** A server without the check at the end, because the test kills it. */
async function startMortal(options: SceneOptions, stage?: Pick<Scene, 'model' | 'sandbox'>): Promise<Scene> {
  const { model, sandbox } = stage ?? (await startBackstage());
  return { model, sandbox, server: await connectServer({ ...options, model, sandbox }) };
}

/** Starts one session in each phase in which a killed server can leave Claude Code. Returns that which hangs. */
async function startAllPhases({ server, model, sandbox }: Scene): Promise<string> {
  model.when('stream', [streamThenHang('once upon a time')]);
  model.when('hang', [tool('Bash', { command: stubborn }), text('over')]);
  model.when('ask', [tool('Bash', { command: 'touch a.txt' }), text('over')]);
  model.when('watch', [
    tool('Bash', { command: 'tail -s 3 -f /dev/null', run_in_background: true }),
    text('watching'),
  ]);
  const start = (prompt: string, args: Record<string, unknown> = {}): ReturnType<ServerClient['call']> =>
    server.call('claude_code', { prompt, cwd: sandbox.project, ...args });
  const allowed = { allowedTools: ['Bash'] };

  const [hanging] = await Promise.all([
    start('hang', allowed),
    start('stream'),
    start('ask', { waitMs: 20_000 }),
    start('watch', { ...allowed, waitMs: 20_000 }),
  ]);
  await until('all commands run', () => {
    const running = new Set(sandbox.processes().map(({ command }) => command));
    return commands.every((command) => running.has(command));
  });
  await until('the model streams', () => model.requests().some(({ promptText }) => promptText === 'stream'));
  return hanging.json.sessionId;
}

onLinux.each(backends)('a killed server with the %s backend', (backend) => {
  it('leaves no process, stops every turn, and its conversations can be continued', async () => {
    const env = { CLAUDE_CODE_MCP_BACKEND: backend };
    const scene = await startMortal({ era: 'modern', env });
    const { server, model, sandbox } = scene;
    const sessionId = await startAllPhases(scene);
    const watchdog = await watchdogOf(server.pid);
    const before = model.requests().length;

    const killedAt = Date.now();
    server.kill('SIGKILL');
    await until('no process is left', () => sandbox.processes().length === 0);
    const tookMs = Date.now() - killedAt;
    await until('the watchdog has exited', async () => !(await isSameProcess(watchdog)));
    const further = model.requests().slice(before);
    const next = await startMortal({ era: 'modern', env }, scene);
    onTestFinished(() => next.server.close());
    const replied = await reply(next, sessionId);

    expect(tookMs).toBeLessThan(3_000);
    // Claude Code takes the open question for denied before the signal reaches it.
    expect(further.filter(({ promptText }) => promptText !== 'ask')).toEqual([]);
    expect(further.length).toBeLessThan(2);
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
    expect(replied.json).toMatchObject({ sessionId, status: 'idle', result: { result: 'ok' } });
    expect(readdirSync(join(sandbox.stateDir, 'launches'))).toHaveLength(1);
  });
});

/** As if the system had killed both for lack of memory. */
async function killWithWatchdog({ server }: Scene): Promise<void> {
  const { pid } = await watchdogOf(server.pid);
  // Otherwise the server would start another watchdog.
  server.kill('SIGSTOP');
  process.kill(pid, 'SIGKILL');
  server.kill('SIGKILL');
  await server.exited;
}

onLinux('a server that was killed together with its watchdog', () => {
  it('leaves orphans that the next server ends', async () => {
    const scene = await startMortal({ era: 'modern' });
    const { server, model, sandbox } = scene;
    model.when('hang', [tool('Bash', { command: stubborn }), text('over')]);
    const { json } = await server.call('claude_code', {
      prompt: 'hang',
      cwd: sandbox.project,
      allowedTools: ['Bash'],
    });
    await until('Bash runs', () => sandbox.processes().some(({ command }) => command === commands[1]));
    await killWithWatchdog(scene);
    const orphans = new Set(sandbox.processes().map(({ pid }) => pid));

    const next = await startMortal({ era: 'modern' }, scene);
    onTestFinished(() => next.server.close());
    const replied = await reply(next, json.sessionId);

    expect(orphans.size).toBeGreaterThan(3);
    expect(sandbox.processes().filter(({ pid }) => orphans.has(pid))).toEqual([]);
    expect(replied.json).toMatchObject({ status: 'idle', result: { result: 'ok' } });
  });

  it.each(backends)('lets nothing run that needs an approval: %s', async (backend) => {
    const env = { CLAUDE_CODE_MCP_APPROVALS: 'human', CLAUDE_CODE_MCP_BACKEND: backend };
    const scene = await startMortal({ era: 'modern', env });
    const { server, model, sandbox } = scene;
    // Claude Code itself would run the command.
    writeFileSync(
      join(sandbox.configDir, 'settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash'] } }),
    );
    const killed = createGate();
    model.when('touch', [gate(killed, tool('Bash', { command: 'touch a.txt' })), text('over')]);

    await server.call('claude_code', { prompt: 'touch', cwd: sandbox.project });
    await until('the model is asked', () => model.requests().length === 1);
    await killWithWatchdog(scene);
    killed.open();
    await until('Claude Code reports the denied call to the model', () => model.requests().length === 2);
    await until('Claude Code ends with its turn', () => sandbox.processes().length === 0);

    expect(JSON.stringify(model.requests()[1]?.body)).toContain('touch a.txt');
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
  });
});
