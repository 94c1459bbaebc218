import { expect, it } from 'vitest';
import { mask } from '../../src/core/observability/mask.js';
import { presentInput } from '../../src/inputs/present.js';
import { plainAsk } from '../kit/fake-backend.js';
import { redactorOf } from '../kit/redactors.js';
import { plainPolicy } from '../kit/policy.js';
import { createManagerScene, startIn } from '../sessions/manager-scene.js';
import { reply } from './session-scene.js';

const secret = 'PLANTED-4f5e6d7c8b9a';
const learnt = 'learnt-PLANTED-0918';

it('redacts events and results before it truncates them', async () => {
  const scene = await createManagerScene({ redactor: redactorOf(secret) });
  const { session, process } = await startIn(scene);

  process.event({ type: 'text', text: `I read ${secret}` });
  process.event({ type: 'tool_use', toolUseId: 't', toolName: `mcp__${secret}`, summary: `x ${secret}` });
  process.result({
    result: secret.repeat(100),
    structuredOutput: { list: [{ [secret]: secret }], password: 'abcdefgh', n: 1 },
  });

  expect(JSON.stringify(session.view.log.read(0))).not.toMatch(/PLAN|9a/);
  expect(session.view.lastResult).toMatchObject({
    result: mask.repeat(100),
    structuredOutput: { list: [{ [mask]: mask }], password: mask, n: 1 },
  });
});

it("learns a caller's secrets before anything else", async () => {
  const scene = await createManagerScene({
    redactor: redactorOf(secret),
    policy: { ...plainPolicy, callerTrust: 'full' },
  });
  const { session, process } = await startIn(scene, { env: { ANY: learnt } });

  process.event({ type: 'text', text: `It is ${learnt}` });

  expect(process.launch.options.env).toEqual({ ANY: learnt });
  expect(session.view.log.read(0).events).toMatchObject([{ text: `It is ${mask}` }]);
});

it('runs the original input and shows the redacted one', async () => {
  const scene = await createManagerScene({ redactor: redactorOf(secret) });
  const { session, process } = await startIn(scene);
  const command = `echo ${'x'.repeat(150)}${secret}`;
  const answer = process.ask({ ...plainAsk, input: { command }, suggestedRules: [`Bash(echo ${secret})`] });
  const [request] = session.view.openInputs;
  if (request === undefined) throw new Error('nothing was asked');

  expect(request.input).toEqual({ command });
  expect(JSON.stringify(presentInput(request, 200, 'all'))).not.toMatch(/PLAN|9a/);
  expect(JSON.stringify(session.view.log.read(0))).not.toMatch(/PLAN|9a/);
  scene.manager.approvals.broker.answer(request.requestId, { decision: 'allow' }, 'caller');
  expect(await answer).toEqual({ decision: 'allow' });
});

it('redacts long options and prompts once, however often they are shown', async () => {
  const scene = await createManagerScene({ redactor: redactorOf(secret) });
  const { session } = await startIn(scene, { systemPrompt: `say ${secret}` });
  await reply(session, `then say ${secret}`, { whenBusy: 'queue' });
  const { view } = session;

  expect(view.shownOptions).toMatchObject({ systemPrompt: `say ${mask}` });
  expect(view.queued).toEqual([`then say ${mask}`]);
  expect(
    [view.shownOptions, view.queued].every((one, at) => one === [view.shownOptions, view.queued][at]),
  ).toBe(true);
});
