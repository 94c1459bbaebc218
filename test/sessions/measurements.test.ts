import { describe, expect, it } from 'vitest';
import { noMeter, type Measurement, type Meter } from '../../src/core/observability/measurements.js';
import { EventLog } from '../../src/events/event-log.js';
import { meterProcesses } from '../../src/session/process/process-meter.js';
import { FakeBackend, type FakeProcess } from '../kit/fake-backend.js';
import { FakeClock } from '../kit/fake-clock.js';
import { plainCaller } from '../kit/callers.js';
import { createManagerScene, startIn, writeTranscript, type ManagerScene } from './manager-scene.js';
import { untilStatus } from '../session/session-scene.js';

type What = Measurement['what'];

class RecordingMeter implements Meter {
  readonly all: Measurement[] = [];

  measure(measurement: Measurement): void {
    this.all.push(measurement);
  }

  watchSessions(): void {}

  of(...kinds: readonly What[]): Measurement[] {
    return this.all.filter(({ what }) => kinds.includes(what));
  }
}

/** Sessions with a backend and a meter under the control of the test. */
async function createScene(): Promise<ManagerScene & { readonly meter: RecordingMeter }> {
  const meter = new RecordingMeter();
  const backend = new FakeBackend();
  const clock = new FakeClock();
  const scene = await createManagerScene({ meter, clock, backend, observers: [meterProcesses(meter)] });
  return { ...scene, backend, clock, meter };
}

function toolUse(process: FakeProcess, toolUseId: string, toolName: string): void {
  process.event({ type: 'tool_use', toolUseId, toolName, summary: '' });
}

function toolResult(process: FakeProcess, toolUseId: string, isError = false): void {
  process.event({ type: 'tool_result', toolUseId, isError, text: '' });
}

describe('a process', () => {
  it('is measured once from start to ready, and at its exit', async () => {
    const { backend, clock, meter, manager } = await createScene();

    const started = manager.start('do it', {}, plainCaller);
    const process = await backend.process(0);
    await process.prompt(0);
    clock.advance(400);
    process.init();
    const session = await started;
    process.init();
    process.result();
    await session.cancel();

    expect(meter.of('process_started', 'process_ready', 'process_ended')).toEqual([
      { what: 'process_started' },
      { what: 'process_ready', isReady: true, ms: 400 },
      { what: 'process_ended' },
    ]);
  });

  it('that exits before it is ready is measured as not ready, and its turn as failed', async () => {
    const { backend, clock, meter, manager } = await createScene();

    const started = manager.start('do it', {}, plainCaller);
    const process = await backend.process(0);
    await process.prompt(0);
    clock.advance(30);
    process.exit();

    await expect(started).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(meter.of('process_started', 'process_ready', 'process_ended', 'turn_ended')).toEqual([
      { what: 'process_started' },
      { what: 'process_ended' },
      { what: 'turn_ended', outcome: 'failed', errorSubtype: 'crashed', ms: 30 },
      { what: 'process_ready', isReady: false, ms: 30 },
    ]);
  });

  it('that gets a control request without a prompt is ready once it answers', async () => {
    const scene = await createScene();
    const { session, process } = await startIn(scene, { enableFileCheckpointing: true });
    await writeTranscript(scene, session.id);
    process.result();
    process.exit();

    await session.rewind(
      { messageId: '00000000-0000-4000-8000-000000000009', isUnread: false },
      { dryRun: true },
    );
    await session.cancel();

    expect(scene.meter.of('process_ready')).toEqual([
      { what: 'process_ready', isReady: true, ms: 0 },
      { what: 'process_ready', isReady: true, ms: 0 },
    ]);
  });

  it('reports retries and the usage of each model', async () => {
    const scene = await createScene();
    const { process } = await startIn(scene);

    process.signal({ type: 'api_retry', status: 529 });
    process.result({
      costUsd: 0.5,
      modelUsage: { opus: { costUSD: 0.5, inputTokens: 7, outputTokens: 1 } },
    });

    expect(scene.meter.of('api_retried', 'model_used')).toEqual([
      { what: 'api_retried', status: 529 },
      {
        what: 'model_used',
        model: 'opus',
        costUsd: 0.5,
        tokens: { input: 7, output: 1, cacheRead: 0, cacheWrite: 0 },
      },
    ]);
  });
});

describe('a tool call of Claude', () => {
  it('is measured by its result, by a denial, or by the exit of the process', async () => {
    const scene = await createScene();
    const { session, process } = await startIn(scene);

    toolUse(process, 't1', 'Read');
    toolResult(process, 't1');
    toolUse(process, 't2', 'Bash');
    toolResult(process, 't2', true);
    toolUse(process, 't3', 'Write');
    const asked = process.ask({ toolUseId: 't3', toolName: 'Write' });
    await untilStatus(session, 'waiting');
    const [request] = session.view.openInputs;
    scene.clock.advance(2_000);
    scene.manager.approvals.broker.answer(
      request?.requestId ?? '',
      { decision: 'deny', message: 'no', interrupt: false },
      'caller',
    );
    await asked;
    toolResult(process, 't3', true);
    toolUse(process, 't4', 'Grep');
    process.exit();

    expect(scene.meter.of('claude_tool_ended', 'input_settled')).toEqual([
      { what: 'claude_tool_ended', tool: 'Read', outcome: 'ok' },
      { what: 'claude_tool_ended', tool: 'Bash', outcome: 'error' },
      { what: 'input_settled', kind: 'permission', decision: 'deny', answeredBy: 'caller', ms: 2_000 },
      { what: 'claude_tool_ended', tool: 'Write', outcome: 'denied' },
      { what: 'claude_tool_ended', tool: 'Grep', outcome: 'unfinished' },
    ]);
  });

  it('counts once, even if it is reported twice', async () => {
    const scene = await createScene();
    const { process } = await startIn(scene);

    toolUse(process, 't1', 'Read');
    toolUse(process, 't1', 'Bash');
    toolResult(process, 't1');
    toolResult(process, 't1', true);
    toolResult(process, 'unknown');
    process.result();

    expect(scene.meter.of('claude_tool_ended')).toEqual([
      { what: 'claude_tool_ended', tool: 'Read', outcome: 'ok' },
    ]);
  });

  it('uses bounded memory if it never gets a result', async () => {
    const scene = await createScene();
    const { process } = await startIn(scene);

    for (let n = 0; n < 5_000; n += 1) toolUse(process, `t${n}`, 'Bash');
    process.exit();

    expect(scene.meter.of('claude_tool_ended')).toHaveLength(1_000);
  });
});

describe('a turn', () => {
  it("is timed to Claude's first text or tool call, and to its end", async () => {
    const scene = await createScene();
    const { process } = await startIn(scene);

    scene.clock.advance(100);
    process.event({ type: 'status', text: 'API 529, retry 1 of 10 in 1 s' });
    scene.clock.advance(200);
    process.event({ type: 'thinking', text: 'hm' });
    scene.clock.advance(300);
    process.event({ type: 'text', text: 'so' });
    process.result();

    expect(scene.meter.of('turn_stirred', 'turn_ended')).toEqual([
      { what: 'turn_stirred', ms: 300 },
      { what: 'turn_ended', outcome: 'completed', errorSubtype: undefined, ms: 600 },
    ]);
  });

  it('is measured by its final outcome: failed, interrupted, or crashed', async () => {
    const scene = await createScene();
    const failing = await startIn(scene);
    const stopped = await startIn(scene);
    const crashing = await startIn(scene);

    failing.process.result({ outcome: 'failed', errorSubtype: 'overloaded' });
    const interrupted = stopped.session.interrupt();
    stopped.process.result({ outcome: 'interrupted' });
    await interrupted;
    crashing.process.exit();

    expect(scene.meter.of('turn_ended')).toEqual([
      { what: 'turn_ended', outcome: 'failed', errorSubtype: 'overloaded', ms: 0 },
      { what: 'turn_ended', outcome: 'interrupted', errorSubtype: undefined, ms: 0 },
      { what: 'turn_ended', outcome: 'failed', errorSubtype: 'crashed', ms: 0 },
    ]);
  });
});

describe('the events of a session', () => {
  it('are counted when they are stored and when they are dropped', () => {
    const meter = new RecordingMeter();
    const log = new EventLog({ maxEvents: 10, maxBytes: 2 ** 20 }, meter);

    for (let n = 0; n < 16; n += 1) log.append({ type: 'text', text: 'x' }, 0, 1);
    log.shed();

    expect(meter.of('event_stored')).toHaveLength(16);
    expect(meter.of('events_dropped')).toEqual([
      { what: 'events_dropped', count: 6 },
      { what: 'events_dropped', count: 10 },
    ]);
  });
});

it('costs nothing if metrics are off', () => {
  expect([noMeter.measure({ what: 'event_stored' }), noMeter.watchSessions(() => [])]).toEqual([
    undefined,
    undefined,
  ]);
});
