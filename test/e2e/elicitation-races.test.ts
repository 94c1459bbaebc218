import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { createGate } from '../kit/gate.js';
import { text, tool, tools } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson, settledInputs, type ShownForm } from '../kit/person.js';
import type { ToolReply } from '../kit/server-client.js';
import { toolResultText } from '../kit/tool-result.js';

async function startTouching({ server, model, sandbox }: Scene): Promise<ToolReply> {
  model.when('touch it', [tool('Bash', { command: 'touch a.txt' }), text('Done.')]);
  return server.call('claude_code', { prompt: 'touch it', cwd: sandbox.project, waitMs: 20_000 });
}

function isTouched({ sandbox }: Scene): boolean {
  return existsSync(join(sandbox.project, 'a.txt'));
}

/** The request that the only session has open. */
async function openRequest({ server }: Scene): Promise<string | undefined> {
  const list = await server.call('claude_code_session', { action: 'list' });
  const sessionId = list.json.sessions?.[0]?.sessionId;
  const { json } = await server.call('claude_code_check', { sessionId, waitMs: 0 });
  return json.actions?.[0]?.requestId;
}

describe('a form of the legacy era', () => {
  it('settles nothing when the caller is first, and is answered later while no call is in flight', async () => {
    const scene = await startScene({ era: 'legacy', capabilities: formCapability });
    const { server, model } = scene;
    const late = createGate();
    const person = seatPerson(server, async (_form, index) => {
      if (index > 0) return accept({ decision: 'allow' });
      await late.opened;
      return accept({ decision: 'deny' });
    });

    const call = startTouching(scene);
    await person.form(0);
    const requestId = await openRequest(scene);
    const responded = await server.call('claude_code_respond', { requestId, decision: 'allow' });
    late.open();
    const told = await call;
    const touched = isTouched(scene);
    const settled = settledInputs(server);
    const { sessionId } = told.json;
    model.when('once more', [tool('Bash', { command: 'touch b.txt' }, { id: 'toolu_more' }), text('More.')]);
    await server.call('claude_code_reply', { sessionId, prompt: 'once more', waitMs: 0 });
    await model.request((request) => toolResultText(request, 'toolu_more') !== undefined);
    const touchedUnwatched = existsSync(join(scene.sandbox.project, 'b.txt'));
    const done = await server.call('claude_code_check', { sessionId });

    expect(responded.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(told.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(settled).toMatchObject([{ requestId, decision: 'allow', answeredBy: 'caller' }]);
    expect(touched).toBe(true);
    expect(touchedUnwatched).toBe(true);
    expect(person.forms).toHaveLength(2);
    expect(done.json).toMatchObject({
      status: 'idle',
      answered: [{ decision: 'allow', answeredBy: 'elicitation' }],
      result: { result: 'More.' },
    });
  });
});

describe('three requests that are open at once', () => {
  const names = ['a.txt', 'b.txt', 'c.txt'] as const;
  type Name = (typeof names)[number];

  function nameIn({ message }: ShownForm): Name {
    const found = names.find((name) => message.includes(name));
    if (found === undefined) throw new Error(`no file is named: ${message}`);
    return found;
  }

  /** Reads outside the session's folder are asked, and Claude Code makes them side by side. */
  async function startReading({
    server,
    model,
    sandbox,
  }: Scene): Promise<Awaited<ReturnType<typeof server.call>>> {
    for (const name of names) writeFileSync(join(sandbox.root, name), `text of ${name}`);
    const read = (name: Name): ReturnType<typeof tool> =>
      tool('Read', { file_path: join(sandbox.root, name) }, { id: `toolu_${name}` });
    model.when('read them', [tools(names.map(read)), text('Read.')]);
    return server.call('claude_code', { prompt: 'read them', cwd: sandbox.project, waitMs: 20_000 });
  }

  function told({ model }: Scene, sessionId: string): (string | undefined)[] {
    const last = model.requests(sessionId).at(-1);
    return names.map((name) => last && toolResultText(last, `toolu_${name}`));
  }

  const expected = [
    expect.stringContaining('text of a.txt'),
    'A person denied this: not b',
    expect.stringContaining('text of c.txt'),
  ];
  const replies: Record<Name, ElicitResult> = {
    'a.txt': accept({ decision: 'allow' }),
    'b.txt': accept({ decision: 'deny', note: 'not b' }),
    'c.txt': accept({ decision: 'allow' }),
  };

  it('are put before the person one after the other, modern era', async () => {
    const scene = await startScene({ era: 'modern', capabilities: formCapability });
    const person = seatPerson(scene.server, (form) => replies[nameIn(form)]);

    const done = await startReading(scene);

    expect(done.json).toMatchObject({ status: 'idle', result: { result: 'Read.' } });
    expect(told(scene, done.json.sessionId)).toEqual(expected);
    expect(person.forms.map(nameIn).toSorted()).toEqual([...names]);
  });
});
