import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text, tool } from '../../kit/model-steps.js';
import { until } from '../../kit/until.js';
import type { PortSession } from '../port-session.js';
import { useStage, type CreateBackend, type Stage } from '../stage.js';
import { ENDLESS } from './interrupts.js';

/** The time that clients give a server to exit. */
const END_LIMIT_MS = 3_000;

export function describeStops(createBackend: CreateBackend): void {
  describe('a stop', () => {
    const stage = useStage(createBackend);

    it('ends a process whose turn runs Bash, with all its descendants', async () => {
      const { sandbox } = stage();
      const session = await startFollowing(stage());

      const stoppedAt = Date.now();
      await session.process.stop();

      expect(sandbox.processes()).toEqual([]);
      expect(Date.now() - stoppedAt).toBeLessThan(END_LIMIT_MS);
    });

    it('ends a process that requests permission, withdraws the request, and can be repeated', async () => {
      const { model, sandbox } = stage();
      model.when('touch', [
        tool('Bash', { command: 'touch a.txt' }, { id: 'toolu_touch' }),
        text('Never said.'),
      ]);
      const session = stage().open();
      session.send('touch');
      const { signal } = await session.ask('toolu_touch');

      const stoppedAt = Date.now();
      await Promise.all([session.process.stop(), session.process.stop()]);

      expect(signal.aborted).toBe(true);
      expect(sandbox.processes()).toEqual([]);
      expect(Date.now() - stoppedAt).toBeLessThan(END_LIMIT_MS);
      const exit = await session.host.exit();
      await session.process.stop();
      expect(exit).toEqual({
        reason: expect.stringMatching(/^Claude Code (exited with code|was (ended|terminated) by)/),
        stderrTail: '',
        neverStarted: false,
      });
      expect(session.host.exits).toHaveLength(1);
      expect(model.requests(session.claudeSessionId)).toHaveLength(1);
    });

    it.each(['in the same tick', 'while it starts'])(
      'of a process that was just opened, %s, leaves no process',
      async (when) => {
        const session = stage().open();
        session.send('never mind');
        if (when === 'while it starts') await until('it starts', () => session.process.pid);

        await session.process.stop();
        await session.host.exit();

        expect(session.host.exits).toHaveLength(1);
        expect(stage().sandbox.processes()).toEqual([]);
      },
    );
  });
}

export function describeEarlyExits(stage: () => Stage): void {
  describe('an exit', () => {
    it('without an executable reports that nothing was started', async () => {
      const executable = join(stage().sandbox.root, 'no-claude-here');
      const session = stage().open({ executable });
      session.send('hello');

      const exit = await session.host.exit();

      expect(exit).toEqual({
        reason: `Claude Code could not be started: spawn ${executable} ENOENT`,
        stderrTail: '',
        neverStarted: true,
      });
      expect(session.host.signals).toEqual([]);
    });

    it('without its working folder names the folder, not the executable', async () => {
      const cwd = join(stage().sandbox.root, 'gone');
      const session = stage().open({ options: { cwd } });
      session.send('hello');

      const exit = await session.host.exit();

      expect(exit).toEqual({
        reason: `Claude Code could not be started: the folder ${cwd} does not exist`,
        stderrTail: '',
        neverStarted: true,
      });
    });

    it('before the first message includes the last error output of the process', async () => {
      const first = stage().shared();
      await first.turn('hello');
      const session = stage().open({ claudeSessionId: first.claudeSessionId });
      session.send('hello again');

      const exit = await session.host.exit();

      expect(exit).toEqual({
        reason: 'Claude Code exited with code 1',
        stderrTail: expect.stringContaining('already in use'),
        neverStarted: false,
      });
      expect(session.host.signals).toEqual([]);
    });
  });
}

/** Separate, because it also runs on a simulated slow system. */
export function describeKilledProcess(createBackend: CreateBackend): void {
  describe('an unexpected exit', () => {
    const stage = useStage(createBackend);

    it('by SIGKILL during a Bash call is reported once, after the Bash command has ended too', async () => {
      const session = await startFollowing(stage());

      const killedAt = Date.now();
      process.kill(session.process.pid ?? 0, 'SIGKILL');
      const exit = await session.host.exit();

      expect(stage().sandbox.processes()).toEqual([]);
      expect(Date.now() - killedAt).toBeLessThan(END_LIMIT_MS);
      expect(exit).toEqual({
        reason: 'Claude Code was terminated by SIGKILL',
        stderrTail: '',
        neverStarted: false,
      });
      await session.process.stop();
      expect(session.host.exits).toHaveLength(1);
    });
  });
}

/** Separate, because it runs with a different way to find processes. */
export function describeFrozenProcess(createBackend: CreateBackend): void {
  describe('a stop of a frozen process', () => {
    const stage = useStage(createBackend);

    it('ends the frozen process, and the Bash command that it can no longer end', async () => {
      const session = await startFollowing(stage());
      process.kill(session.process.pid ?? 0, 'SIGSTOP');

      const stoppedAt = Date.now();
      await session.process.stop();

      // If processes cannot be found by environment, the test cannot wait for the moment of exit.
      await until('nothing is left', () => stage().sandbox.processes().length === 0);
      expect(Date.now() - stoppedAt).toBeLessThan(END_LIMIT_MS);
    });
  });
}

/** A session whose turn runs a command that never ends by itself. So many processes do not exit at the same moment. */
async function startFollowing(stage: Stage): Promise<PortSession> {
  const command = `for i in $(seq 30); do ${ENDLESS} & done; wait`;
  stage.model.when('follow', [tool('Bash', { command }, { id: 'toolu_follow' }), text('Never said.')]);
  const session = stage.open();
  session.send('follow');
  await session.answer('toolu_follow', { decision: 'allow' });
  await until('Bash runs', () => stage.commands().filter((name) => name === ENDLESS).length === 30);
  return session;
}
