import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mask, secretMark } from '../../src/core/observability/mask.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import { apiError, repeat, text, tool, type Step } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';

/** Known by the name of its variable, or because a caller gave it to a session. */
const ofServer = 'srv-7Qx9-PLANTED-k2Lm';
const ofCaller = 'clr-5Zz1-PLANTED-w8Np';
/** Nobody knows these: only their looks give them away. */
const inPrompt = 'sk-ant-api03-PLANTED0123456789abcdef';
const inFile = 'ghp_PLANTED0123456789abcdefghijABCDEF';

const env = {
  MY_API_TOKEN: ofServer,
  CLAUDE_CODE_MCP_CALLER_TRUST: 'full',
  CLAUDE_CODE_MCP_LOG_LEVEL: 'debug',
};

/** Every word the server has said, on both streams: not even a piece of a secret may be in it. */
function expectNoSecret({ server }: InProcessScene): void {
  const said = server.stdout() + server.stderr();
  expect(said).toContain(mask);
  expect(said).not.toContain('PLANTED');
  for (const secret of [ofServer, ofCaller, inPrompt, inFile]) {
    expect(said).not.toContain(secret.slice(0, 12));
    expect(said).not.toContain(secret.slice(-10));
    expect(said).not.toContain(encodeURIComponent(secret));
  }
  for (const known of [ofServer, ofCaller]) expect(said).not.toContain(btoa(known).slice(0, 16));
}

/** Starts a session whose model asks for `steps`, and returns what the first wait shows. */
async function start({ server, model, sandbox }: InProcessScene, steps: Step[], more: object = {}) {
  model.when('go', steps);
  const { json } = await server.call('claude_code', {
    prompt: `go, with ${inPrompt}`,
    title: `about ${inPrompt}`,
    cwd: sandbox.project,
    advanced: { env: { CALLER_VALUE: ofCaller } },
    waitMs: 20_000,
    ...more,
  });
  return { sessionId: json.sessionId, json, action: json.actions?.[0] };
}

describe.each(['modern', 'legacy'] as const)('a planted secret, %s era', (era) => {
  it('is in nothing that a session tells, however it is asked, cut and paged', async () => {
    const scene = await startInProcess({ era, env });
    const { server, model, sandbox } = scene;
    // So many, and of such lengths, that every cut goes through one of them.
    const crowd = [ofServer, ofCaller, inPrompt, inFile].join(' ').concat('\n').repeat(150);
    writeFileSync(join(sandbox.project, 'secrets.txt'), crowd);
    const command = `cat secrets.txt; echo $MY_API_TOKEN $CALLER_VALUE | tee /dev/stderr | base64; # ${`${ofServer} `.repeat(600)}`;
    const { sessionId, json, action } = await start(scene, [tool('Bash', { command }), text(crowd)]);
    expect(json).toMatchObject({ status: 'waiting' });

    const { requestId = '' } = action ?? {};
    const pages: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: Awaited<ReturnType<typeof server.call>> = await server.call('claude_code_check', {
        sessionId,
        requestId,
        resultOffset: offset,
      });
      pages.push(page.json.text ?? '');
      offset = page.json.nextOffset;
    }
    await server.call('claude_code_respond', { requestId, decision: 'allow' });
    const include = ['events', 'tools', 'usage'];
    const done = await server.call('claude_code_check', { sessionId, cursor: 0, include });
    const rest = await server.call('claude_code_check', { sessionId, resultOffset: 3_000 });
    const details = await server.call('claude_code_session', { action: 'get', sessionId });
    await server.call('claude_code_session', { action: 'list' });

    expect(JSON.parse(pages.join(''))).toHaveProperty(
      'command',
      expect.stringContaining(`# ${secretMark(ofServer)} ${secretMark(ofServer)}`),
    );
    expect(done.json.events?.find(({ type }) => type === 'tool_result')?.text).toContain(mask);
    expect(done.json.result?.result).toContain(mask);
    expect(details.json.title).toBe(`about ${mask}`);
    expect(rest.json).toMatchObject({ offset: 3_000, text: expect.stringContaining(mask) });
    // The model was told everything: only copies that leave are redacted.
    expect(JSON.stringify(model.requests(sessionId).map(({ body }) => body))).toContain(inPrompt);
    expectNoSecret(scene);
  });

  it('is not shown to the approver, and is what runs', async () => {
    const scene = await startInProcess({ era, env });
    const { server, sandbox } = scene;
    const command = `printf %s '${ofServer}' > out.txt`;
    const { action } = await start(scene, [
      tool('Bash', { command, description: `Write ${ofServer}` }),
      text('Done.'),
    ]);
    const { requestId } = action ?? {};

    const edited = await server.call('claude_code_respond', {
      requestId,
      decision: 'allow',
      updatedInput: action?.input,
    });
    const allowed = await server.call('claude_code_respond', { requestId, decision: 'allow' });

    expect(action).toMatchObject({
      input: { command: `printf %s '${secretMark(ofServer)}' > out.txt` },
    });
    expect(edited.text).toMatch(/^Error \[INVALID_ARGUMENT\].*replaces a hidden secret/);
    expect(allowed.json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(readFileSync(join(sandbox.project, 'out.txt'), 'utf8')).toBe(ofServer);
    expectNoSecret(scene);
  });

  it('is in no form, and is what the person allows', async () => {
    const scene = await startInProcess({ era, env, capabilities: formCapability });
    const { server, sandbox } = scene;
    const person = seatPerson(server, () => accept({ decision: 'allow' }));

    const { json } = await start(scene, [
      tool('Bash', { command: `printf %s '${ofServer}' > out.txt`, description: `Write ${ofServer}` }),
      text('Done.'),
    ]);

    expect(json).toMatchObject({ status: 'idle', result: { result: 'Done.' } });
    expect(person.forms).toMatchObject([
      { message: expect.stringContaining(`> command: printf %s '${secretMark(ofServer)}' > out.txt`) },
    ]);
    expect(readFileSync(join(sandbox.project, 'out.txt'), 'utf8')).toBe(ofServer);
    expectNoSecret(scene);
  });

  it('in the label of an answer is chosen by what is shown of it', async () => {
    const scene = await startInProcess({ era, env });
    const { server, model } = scene;
    const options = [`Use ${ofServer}`, 'Use none'].map((label) => ({ label, description: label }));
    const questions = [{ question: `Keep ${ofServer}?`, header: 'Key', multiSelect: false, options }];
    const { sessionId, action } = await start(scene, [
      tool('AskUserQuestion', { questions }),
      text('thanks'),
    ]);

    await server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'allow',
      answers: { [`Keep ${secretMark(ofServer)}?`]: `Use ${secretMark(ofServer)}` },
    });

    const told = JSON.stringify(model.requests(sessionId).at(-1)?.body);
    expect(told).toContain(`Use ${ofServer}`);
    expect(told).not.toContain(secretMark(ofServer));
    expectNoSecret(scene);
  });

  it('is in no error', async () => {
    const scene = await startInProcess({ era, env });
    const { server } = scene;

    const failed = await start(scene, [
      repeat(apiError(400, 'invalid_request_error', `bad key ${ofServer} ${inFile}`)),
    ]);
    const refused = await server.call('claude_code', { prompt: 'x', cwd: `/nowhere/${inFile}/${ofServer}` });
    const unknown = await server.call('claude_code_check', { sessionId: ofServer, [inFile]: 1 });

    expect(failed.json.result).toMatchObject({ isError: true, result: expect.stringContaining(mask) });
    for (const { text: words } of [refused, unknown]) expect(words).toMatch(/^Error \[.*\[redacted\]/s);
    expectNoSecret(scene);
  });
});
