import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mask, secretMark } from '../../src/core/observability/mask.js';
import { faultyCli, type FaultyMode } from '../kit/faulty-cli-env.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { text, tool, type Step } from '../kit/model-steps.js';

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
function expectNoSecret({ server }: Scene): void {
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
async function start({ server, model, sandbox }: Scene, steps: Step[], more: object = {}) {
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

describe('a planted secret', () => {
  const era = 'modern';
  it('is in nothing that a session tells, however it is asked, cut and paged', async () => {
    const scene = await startScene({ era, env });
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
});

it('an approver reads the whole command, whatever its parts look like and whatever the caller passed', async () => {
  const scene = await startScene({ era: 'modern', env });
  const command = `sh scripts/evil.sh; TOKEN=rm:-rf:src; rm -rf basic /important ${ofServer}`;

  const { action } = await start(scene, [tool('Bash', { command }), text('Done.')], {
    advanced: { env: { CALLER_VALUE: 'scripts/evil.sh' } },
  });
  const granted = await scene.server.call('claude_code_respond', {
    requestId: action?.requestId,
    decision: 'allow_for_session',
  });

  expect(action).toMatchObject({
    input: { command: command.replace(ofServer, '[secret of 21 characters]') },
    accepts: ['allow', 'deny'],
  });
  expect(granted.text).toMatch(/^Error \[PERMISSION_DENIED\].*masked/);
});

describe('a secret on the error stream of Claude Code', () => {
  // As long as what is kept of the stream, so that its beginning is cut off within the secret.
  const words = `${ofServer}${'.'.repeat(3_950)} ${inFile}`;

  it.each<[FaultyMode, object]>([
    ['exit-at-once', {}],
    ['silent', { sessionInitTimeoutMs: 1_000 }],
    ['crash-mid-turn', {}],
  ])('is not in the report of %s', async (mode, advanced) => {
    const scene = await startScene({
      era: 'legacy',
      env: { ...env, ...faultyCli(mode, { stderr: words }) },
    });

    const told = await scene.server.call('claude_code', { prompt: 'go', waitMs: 20_000, advanced });

    expect(told.text).toContain(mask);
    expectNoSecret(scene);
  });
});
