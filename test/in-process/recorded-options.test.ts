/** Options of a session that no caller could pass: operators, settings and approvals have brought them. */
import { describe, expect, it } from 'vitest';
import { start, wants, writeTrustedSettings } from '../kit/approval-moves.js';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';

const any = { CLAUDE_CODE_MCP_APPROVALS: 'any' };
const domains = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}.example.com`);

async function continued(before: InProcessScene, sessionId: string, env: Record<string, string> = any) {
  const { server, model } = await restartInProcess(before, { era: 'modern', env });
  model.when('go on', [text('I did')]);
  return server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });
}

const goesOn = { status: 'idle', result: { result: 'I did', turn: 2 } };

describe('a session can be continued after a restart', () => {
  it.each([
    ['time to start', { CLAUDE_CODE_MCP_START_TIMEOUT_MS: '600000' }],
    ['budget', { CLAUDE_CODE_MCP_MAX_BUDGET_USD: '2000000' }],
  ])('with the longest %s that an operator can set', async (_what, env) => {
    const scene = await startInProcess({ era: 'modern', env });
    wants(scene);
    const { json } = await start(scene);

    const reply = await continued(scene, json.sessionId, env);

    expect(reply.json).toMatchObject(goesOn);
  });

  it('with more denied rules than a caller can pass at once', async () => {
    const scene = await startInProcess({ era: 'modern', env: any });
    wants(scene, tool('Bash', { command: 'touch a.txt' }));
    const { json } = await start(scene);
    const updatedPermissions = Array.from({ length: 6 }, (_, update) => ({
      type: 'addRules',
      behavior: 'deny',
      rules: Array.from({ length: 20 }, (__, rule) => ({
        toolName: 'Bash',
        ruleContent: `rm ${update}-${rule}`,
      })),
    }));
    const requestId = json.actions?.[0]?.requestId;
    const answer = { requestId, decision: 'allow', updatedPermissions, waitMs: 20_000 };
    await scene.server.call('claude_code_respond', answer);

    const reply = await continued(scene, json.sessionId);

    expect(reply.json).toMatchObject(goesOn);
  });

  it('with the base and the developer instructions of codex, each as long as they may be', async () => {
    const env = { CLAUDE_CODE_MCP_TOOLSETS: 'codex,async' };
    const scene = await startInProcess({ era: 'modern', env });
    const instructions = 'x'.repeat(200_000);
    await scene.server.call('codex', {
      prompt: 'do it',
      'base-instructions': instructions,
      'developer-instructions': instructions,
    });
    const { json } = await scene.server.call('claude_code_session', { action: 'list' });
    const [session] = json.sessions ?? [];

    const reply = await continued(scene, String(session?.sessionId), env);

    expect(reply.json).toMatchObject(goesOn);
  });

  it.each([
    ['of a project that the caller left out', domains(150, 'a'), undefined],
    ['of both the project and the caller', domains(60, 'a'), domains(60, 'b')],
  ])('with a long list of the sandbox %s', async (_whose, ofProject, ofCaller) => {
    const scene = await startInProcess({ era: 'modern', env: any });
    writeTrustedSettings(scene, { sandbox: { enabled: true, network: { deniedDomains: ofProject } } });
    wants(scene);
    const sandbox = ofCaller && { enabled: true, network: { deniedDomains: ofCaller } };
    const { json } = await start(scene, { advanced: { settingSources: ['user'], sandbox } });

    const reply = await continued(scene, json.sessionId);

    expect(reply.json).toMatchObject(goesOn);
  });
});
