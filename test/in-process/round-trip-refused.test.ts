import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability } from '../kit/person.js';
import { answerOf, formOf, personThinks, retryWith, type Retry, type ToolCall } from '../kit/rounds.js';

const allow = accept({ decision: 'allow' });
const hint =
  'Call claude_code_session with action "list" to find the session, then continue with claude_code_check.';
const notOurs = `Error [INVALID_ARGUMENT]: this requestState has expired, or this server did not issue it. ${hint}`;
const otherCall = `Error [INVALID_ARGUMENT]: this requestState belongs to another call. ${hint}`;

/** Another letter of the same alphabet at this place. */
function changeAt(sealed: string, index: number): string {
  const other = sealed.at(index) === 'A' ? 'B' : 'A';
  return `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
}

/** The same seal around a payload in which one thing was changed. */
function changePayload(sealed: string, from: RegExp, to: string): string {
  const [version = '', body = '', mac = ''] = sealed.split('.');
  const plain = Buffer.from(body, 'base64url').toString();
  expect(plain).toMatch(from);
  return [version, Buffer.from(plain.replace(from, to)).toString('base64url'), mac].join('.');
}

it('refuses whatever is not the state of this very call, and leaves the request open', async () => {
  const { server, model, sandbox } = await startInProcess({ era: 'modern', capabilities: formCapability });
  model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  const args = { prompt: 'touch', cwd: sandbox.project, waitMs: 20_000 };
  const call: ToolCall = { name: 'claude_code', args };
  const { state } = await formOf(server, call);
  await personThinks(server);
  const list = await server.call('claude_code_session', { action: 'list' });
  const sessionId = list.json.sessions?.[0]?.sessionId;
  const macAt = state.lastIndexOf('.') + 1;
  const attempts: Readonly<Record<string, readonly [ToolCall, Retry, string]>> = {
    'made up': [call, retryWith('v1.e30.AAAA', allow), notOurs],
    empty: [call, retryWith('', allow), notOurs],
    'without a seal': [call, retryWith(state.slice(0, macAt - 1), allow), notOurs],
    'a byte of the payload': [call, retryWith(changeAt(state, 20), allow), notOurs],
    'a byte of the seal': [call, retryWith(changeAt(state, macAt + 5), allow), notOurs],
    'another round': [call, retryWith(changePayload(state, /"round":1/, '"round":0'), allow), notOurs],
    'asked earlier': [
      call,
      retryWith(changePayload(state, /"askedAt":[\d.]+/, '"askedAt":-1'), allow),
      notOurs,
    ],
    'answers without a state': [call, { inputResponses: { approval: allow } }, notOurs],
    'another tool': [{ name: 'claude_code_check', args: { sessionId } }, retryWith(state, allow), otherCall],
    'another tool with the same arguments': [
      { name: 'claude_code_check', args },
      retryWith(state, allow),
      otherCall,
    ],
    'a tool that never waits': [
      { name: 'claude_code_session', args: { action: 'list' } },
      retryWith(state, allow),
      otherCall,
    ],
    'another prompt': [
      { ...call, args: { ...args, prompt: 'touch it' } },
      retryWith(state, allow),
      otherCall,
    ],
    'another wait': [{ ...call, args: { ...args, waitMs: 20_001 } }, retryWith(state, allow), otherCall],
    'an argument more': [{ ...call, args: { ...args, title: 'x' } }, retryWith(state, allow), otherCall],
    'an argument less': [
      { ...call, args: { prompt: 'touch', waitMs: 20_000 } },
      retryWith(state, allow),
      otherCall,
    ],
  };

  const answers: [string, string][] = [];
  for (const [what, [tried, retry]] of Object.entries(attempts)) {
    answers.push([what, (await answerOf(server, tried, retry)).text]);
  }
  const open = await server.call('claude_code_check', { sessionId, waitMs: 0 });
  const sessions = await server.call('claude_code_session', { action: 'list' });
  const existedBefore = existsSync(join(sandbox.project, 'a.txt'));
  const requestsBefore = model.requests().length;
  const done = await answerOf(server, call, retryWith(state, allow));

  expect(Object.fromEntries(answers)).toEqual(
    Object.fromEntries(Object.entries(attempts).map(([what, [, , refusal]]) => [what, refusal])),
  );
  expect(open.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Bash' }] });
  expect(sessions.json.sessions).toHaveLength(1);
  expect([existedBefore, requestsBefore]).toEqual([false, 1]);
  expect(done.json).toMatchObject({ sessionId, status: 'idle', result: { result: 'Done.' } });
});
