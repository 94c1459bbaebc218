import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, HUMAN_NO_MS, seatPerson, settledInputs } from '../kit/person.js';
import { dbQuestion } from '../kit/questions.js';
import { answerOf, formOf, personThinks, retryWith, type ToolCall } from '../kit/rounds.js';
import { toolResultText } from '../kit/tool-result.js';
import { jsonOf, startQueryInProcess, typesOf, type InProcessQueryScene } from '../kit/query-scene.js';

function wantsToTouch({ model }: InProcessQueryScene): void {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }, { id: 'toolu_touch' }), text('Done.')]);
}

function touched({ sandbox }: InProcessQueryScene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

function toldModel({ model }: InProcessQueryScene): string | undefined {
  const last = model.requests().at(-1);
  return last && toolResultText(last, 'toolu_touch');
}

describe.each(['modern', 'legacy'] as const)('what Claude asks during a query, %s era', (era) => {
  it('is denied at once and explained where nobody can be asked', async () => {
    const scene = await startQueryInProcess({ era });
    wantsToTouch(scene);

    const answer = jsonOf(await scene.query('touch it'));

    expect(touched(scene)).toBe(false);
    expect(toldModel(scene)).toContain('nobody can be asked');
    expect(answer.result).toMatchObject({ success: true, summary: 'Done.' });
    expect(answer.denied).toEqual([
      expect.stringMatching(/^Bash: `touch a\.txt` \(nobody can be asked: .*\)$/),
    ]);
    expect(settledInputs(scene.server)).toMatchObject([
      { toolName: 'Bash', decision: 'deny', answeredBy: 'rule' },
    ]);
  });

  it('is not asked at all when the caller has allowed it in advance', async () => {
    const scene = await startQueryInProcess({ era });
    wantsToTouch(scene);

    const answer = jsonOf(await scene.query('touch it', { args: { allowedTools: ['Bash'] } }));

    expect(touched(scene)).toBe(true);
    expect(answer.denied).toBeUndefined();
  });

  it('is listed as denied if the person denies it', async () => {
    const scene = await startQueryInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => accept({ decision: 'deny' }));
    wantsToTouch(scene);

    const answer = jsonOf(await scene.query('touch it'));

    expect(touched(scene)).toBe(false);
    expect(answer).toMatchObject({
      result: { success: true },
      denied: ['Bash: touch a.txt (a person denied it)'],
    });
  });

  it('is put before the person behind the client, and the messages go on', async () => {
    const scene = await startQueryInProcess({ era, capabilities: formCapability });
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

  it('can be allowed in advance once the client has dismissed a form by itself', async () => {
    const scene = await startQueryInProcess({ era, capabilities: formCapability });
    const person = seatPerson(scene.server, () => ({ action: 'decline' }), 0);
    wantsToTouch(scene);

    const early = await scene.query('touch it', { args: { allowedTools: ['Bash'] } });
    const { denied } = jsonOf(await scene.query('touch it'));
    const isTouched = touched(scene);
    const late = jsonOf(await scene.query('touch it', { args: { allowedTools: ['Bash'] } }));

    expect(early.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*allowedTools/);
    expect(denied).toEqual([
      expect.stringContaining('nobody can be asked: the client dismisses forms by itself'),
    ]);
    expect(isTouched).toBe(false);
    expect(late.denied).toBeUndefined();
    expect([touched(scene), person.forms.length]).toEqual([true, 1]);
  });

  it.runIf(era === 'legacy')(
    'can be allowed in advance once the client has replied to a form with an error',
    async () => {
      const scene = await startQueryInProcess({ era, capabilities: formCapability });
      const person = seatPerson(scene.server, () => Promise.reject(new Error('no screen')), 0);
      wantsToTouch(scene);

      const { denied } = jsonOf(await scene.query('touch it'));
      const isTouched = touched(scene);
      const late = jsonOf(await scene.query('touch it', { args: { allowedTools: ['Bash'] } }));

      expect(denied).toEqual([
        expect.stringContaining('nobody can be asked: the client dismisses forms by itself'),
      ]);
      expect(isTouched).toBe(false);
      expect(late.denied).toBeUndefined();
      expect([touched(scene), person.forms.length]).toEqual([true, 1]);
    },
  );

  it.each<[string, Record<string, string>, boolean]>([
    ['only people approve', { CLAUDE_CODE_MCP_APPROVALS: 'human' }, false],
    ['a person has answered before', {}, true],
  ])('can never be allowed in advance where %s', async (_when, env, isAnswered) => {
    const scene = await startQueryInProcess({ era, env, capabilities: formCapability });
    let isThere = isAnswered;
    const { server } = scene;
    const person = seatPerson(
      server,
      async () => {
        if (!isThere) return { action: 'cancel' };
        isThere = false;
        await server.takesTime(HUMAN_NO_MS);
        return { action: 'decline' };
      },
      0,
    );
    wantsToTouch(scene);

    await scene.query('touch it');
    await scene.query('touch it');
    const refused = await scene.query('touch it', { args: { allowedTools: ['Bash'] } });

    expect(person.forms).toHaveLength(2);
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*allowedTools/);
    expect(touched(scene)).toBe(false);
  });

  it('is denied when nobody answers the form', async () => {
    const scene = await startQueryInProcess({ era, capabilities: formCapability });
    seatPerson(scene.server, () => ({ action: 'cancel' }), HUMAN_NO_MS);
    wantsToTouch(scene);

    const answer = jsonOf(await scene.query('touch it'));

    expect(touched(scene)).toBe(false);
    expect(toldModel(scene)).toContain('nobody answered the form');
    expect(answer.denied).toEqual([expect.stringContaining('nobody answered the form')]);
  });

  it('is answered the same way when it is a question', async () => {
    const scene = await startQueryInProcess({ era });
    scene.model.when('ask me', [
      tool('AskUserQuestion', { questions: [dbQuestion] }, { id: 'toolu_touch' }),
      text('Done.'),
    ]);

    const answer = jsonOf(await scene.query('ask me'));

    expect(toldModel(scene)).toContain('nobody can be asked');
    expect(answer.denied).toHaveLength(1);
    expect(answer.result.success).toBe(true);
  });
});

describe('a query that comes back with the answer of a person', () => {
  function call({ sandbox }: InProcessQueryScene): ToolCall {
    return { name: 'claude_code_query', args: { prompt: 'touch it', cwd: sandbox.project } };
  }

  it('joins the same session, and gives the same answer when it comes twice', async () => {
    const scene = await startQueryInProcess({ era: 'modern', capabilities: formCapability });
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

  it('goes on counting its messages where the first call has stopped', async () => {
    const scene = await startQueryInProcess({ era: 'modern', capabilities: formCapability });
    const { server, told } = scene;
    wantsToTouch(scene);
    const _meta = { [LOG_LEVEL_META_KEY]: 'info' };

    const { state } = await formOf(server, call(scene), { _meta });
    const before = told.map(({ data }) => data.sequence);
    await personThinks(server);
    await answerOf(server, call(scene), { ...retryWith(state, accept({ decision: 'allow' })), _meta });

    expect(before).toEqual([1, 2]);
    expect(told.map(({ data }) => data.sequence)).toEqual([1, 2, 3, 4, 5]);
  });
});
