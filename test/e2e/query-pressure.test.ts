import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultyCli } from '../kit/faulty-cli-env.js';
import type { ToolReply } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { jsonOf, startQueryScene, type QueryScene } from '../kit/query-scene.js';

/** The server writes down that the turn is over, whether anybody reads or not. */
function turnIsOver({ sandbox }: QueryScene): boolean {
  const folder = join(sandbox.stateDir, 'sessions');
  return (
    existsSync(folder) &&
    readdirSync(folder)
      .filter((file) => file.endsWith('.jsonl'))
      .some((file) => readFileSync(join(folder, file), 'utf8').includes('"idle"'))
  );
}

/** Runs a flood of so many messages; the client reads one of them, and the others when the turn is over. */
async function floodSlowReader(
  era: 'modern' | 'legacy',
  count: number,
): Promise<QueryScene & { readonly reply: ToolReply }> {
  const scene = await startQueryScene({ era, env: faultyCli('flood', { count }) });
  const running = scene.query('go');
  await scene.heard('the first message', () => true);
  const release = scene.server.holdReading();
  await until('the turn is over', () => turnIsOver(scene));
  release();
  return { ...scene, reply: await running };
}

describe('a client that is slow to read', () => {
  const era = 'modern';
  it('does not hold up Claude, and then gets 10,000 messages in order, without a gap', async () => {
    const count = 10_000;

    const { told, reply } = await floodSlowReader(era, count);

    expect(told.map(({ data }) => data.sequence)).toEqual(Array.from({ length: count + 2 }, (_, i) => i + 1));
    expect(told.some(({ data }) => data.message['subtype'] === 'messages_left_out')).toBe(false);
    expect(reply.text.length).toBeLessThanOrEqual(7_500);
    expect(jsonOf(reply).truncation).toMatchObject({ total: count + 2 });
    expect(jsonOf(reply).result).toEqual({ success: true, summary: `Sent ${count} events.` });
    expect(jsonOf(reply).messages.at(-1)).toMatchObject({ type: 'result' });
  });

  it('is told how many messages were left out when more had to wait than there is room for', async () => {
    const count = 22_000;

    const { told, reply, server } = await floodSlowReader(era, count);

    const notes = told.filter(({ data }) => data.message['subtype'] === 'messages_left_out');
    const leftOut = notes.reduce((sum, { data }) => sum + Number(data.message['count']), 0);
    expect(leftOut).toBeGreaterThan(0);
    expect(told.length - notes.length + leftOut).toBe(count + 2);
    expect(told.map(({ data }) => data.sequence)).toEqual(told.map((_, index) => index + 1));
    expect(told.at(-1)?.data.message).toMatchObject({ type: 'result' });
    expect(server.stdout().length).toBeLessThan(16 * 1_048_576);
    expect(jsonOf(reply).truncation).toMatchObject({ total: count + 2 });
  });
});
