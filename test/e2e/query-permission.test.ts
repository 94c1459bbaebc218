import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { answerOf, formOf, personThinks, retryWith, type ToolCall } from '../kit/rounds.js';
import { jsonOf, startQueryScene, typesOf, type QueryScene } from '../kit/query-scene.js';

function wantsToTouch({ model }: QueryScene): void {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }, { id: 'toolu_touch' }), text('Done.')]);
}

function touched({ sandbox }: QueryScene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

describe.each(['modern', 'legacy'] as const)('what Claude asks during a query, %s era', (era) => {
  it('is put before the person behind the client, and the messages go on', async () => {
    const scene = await startQueryScene({ era, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'allow' }));
    wantsToTouch(scene);

    const answer = jsonOf(await scene.query('touch it'));

    expect(person.forms).toHaveLength(1);
    expect(touched(scene)).toBe(true);
    expect(answer.result).toEqual({ success: true, summary: 'Done.' });
    expect(typesOf(answer.messages)).toEqual(['system/init', 'assistant', 'user', 'assistant', 'result']);
    expect(scene.told.map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(scene.model.requests().map(({ promptText, occurrence }) => [promptText, occurrence])).toEqual([
      ['touch it', 1],
      ['touch it', 1],
    ]);
  });
});

describe('a query that comes back with the answer of a person', () => {
  function call({ sandbox }: QueryScene): ToolCall {
    return { name: 'claude_code_query', args: { prompt: 'touch it', cwd: sandbox.project } };
  }

  it('joins the same session, and gives the same answer when it comes twice', async () => {
    const scene = await startQueryScene({ era: 'modern', capabilities: formCapability });
    const { server } = scene;
    wantsToTouch(scene);

    const { state } = await formOf(server, call(scene));
    await personThinks(server);
    const retry = retryWith(state, accept({ decision: 'allow' }));
    const first = await answerOf(server, call(scene), retry);
    const second = await answerOf(server, call(scene), retry);
    const list = await server.call('claude_code_session', { action: 'list' });

    expect(touched(scene)).toBe(true);
    expect(jsonOf(first).result).toEqual({ success: true, summary: 'Done.' });
    expect(jsonOf(first).truncation).toMatchObject({ total: 5 });
    expect(second.text).toBe(first.text);
    expect(list.json.sessions).toHaveLength(1);
    expect(scene.model.requests()).toHaveLength(2);
  });
});
