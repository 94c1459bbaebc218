import { expect } from 'vitest';
import type { InProcessScene } from './in-process.js';
import { logLines } from './log-lines.js';
import type { Try } from './widening-tries.js';

/** On either rung. */
type Scene = Pick<InProcessScene, 'server' | 'model' | 'sandbox'>;

/** What must be the same before and after a try. */
async function stateOf({ server, model, sandbox }: Scene): Promise<unknown> {
  const { json } = await server.call('claude_code_session', { action: 'list' });
  const described = await Promise.all(
    (json.sessions ?? []).map(({ sessionId }) =>
      server.call('claude_code_session', { action: 'get', sessionId }),
    ),
  );
  return {
    sessions: described.map(({ text }) => text.replace(/"lastUsedAt":"[^"]*"/, '')),
    requests: model.requests().length,
    processes: sandbox.processes().map(({ pid }) => pid),
  };
}

/** Each try gets its code, its words and its line in the log; no session, process or model request comes of any. */
export async function expectRefusals(
  scene: Scene,
  tool: string,
  tries: readonly Try[],
  toArguments: (args: Record<string, unknown>) => Record<string, unknown>,
): Promise<void> {
  const before = await stateOf(scene);
  const logged = callsIn(scene).length;

  const answers: string[] = [];
  for (const [, args] of tries)
    answers.push((await scene.server.call(tool, toArguments(args(scene)))).text.slice(0, 400));

  for (const [index, [name, , code, words]] of tries.entries()) {
    expect.soft(answers[index], name).toMatch(words);
    expect.soft(answers[index], name).toContain(`Error [${code}]: `);
  }
  expect(callsIn(scene).slice(logged, logged + tries.length)).toEqual(
    tries.map(([, , code]) => expect.objectContaining({ tool, code })),
  );
  expect(await stateOf(scene)).toEqual(before);
}

function callsIn({ server }: Scene): Readonly<Record<string, unknown>>[] {
  return logLines(server.stderr()).filter(({ message }) => message === 'tool call');
}
