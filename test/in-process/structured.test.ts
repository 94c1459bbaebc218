import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInputRequiredResult, type JsonSchemaType } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { projectFolderName } from '../../src/history/project-folder.js';
import { startInProcess, type InProcessScene, type InProcessOptions } from '../kit/in-process.js';
import { apiError, text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { formOf } from '../kit/rounds.js';
import { until } from '../kit/until.js';

const structured = { CLAUDE_CODE_MCP_STRUCTURED: '1' } as const;

type Answer = Readonly<Record<string, unknown>>;
type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>;

/** A scene whose calls are held against the schema of their tool, by the client and by a validator of its own. */
async function checkedScene(options: InProcessOptions): Promise<InProcessScene & { call: Call }> {
  const scene = await startInProcess(options);
  const { client } = scene.server;
  const { tools } = await client.listTools();
  const validator = new AjvJsonSchemaValidator();
  const call: Call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args }, { timeout: 60_000 });
    const [block] = result.content;
    const answer = JSON.parse(block?.type === 'text' ? block.text : '') as Answer;
    expect(result.structuredContent).toEqual(answer);
    const { outputSchema } = tools.find((one) => one.name === name) ?? {};
    if (outputSchema === undefined) throw new Error(`${name} has no output schema`);
    expect(validator.getValidator(outputSchema as JsonSchemaType)(answer)).toMatchObject({ valid: true });
    return answer;
  };
  return { ...scene, call };
}

describe.each(['modern', 'legacy'] as const)('structured results, %s era', (era) => {
  it('of every tool follow its schema', async () => {
    const { call, model, sandbox } = await checkedScene({
      era,
      env: { ...structured, CLAUDE_CODE_MCP_TOOLSETS: 'async,query,configure' },
    });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
    const waitMs = 20_000;

    const started = await call('claude_code', { prompt: 'touch', cwd: sandbox.project, title: 'T', waitMs });
    const { sessionId } = started;
    const [action] = started['actions'] as Answer[];
    const requestId = action?.['requestId'];
    const include = ['events', 'tools', 'usage'];
    await call('claude_code_check', { sessionId, requestId, resultOffset: 0 });
    const done = await call('claude_code_respond', { requestId, decision: 'allow', waitMs });
    await call('claude_code_check', { sessionId, include, cursor: 0 });
    await call('claude_code_check', { sessionId, resultOffset: 0 });
    await call('claude_code_check', { sessionIds: [sessionId], include });
    await call('claude_code_reply', { sessionId, prompt: 'hello', waitMs });
    const list = await call('claude_code_session', { action: 'list' });
    const got = await call('claude_code_session', { action: 'get', sessionId });
    await call('claude_code_session', { action: 'interrupt', sessionId });
    await call('claude_code_session', { action: 'cancel', sessionId });
    await call('claude_code_query', { prompt: 'touch', cwd: sandbox.project });
    const config = await call('claude_code_configure', { action: 'get_config' });

    expect(done).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    expect(list).toMatchObject({ sessions: [{ sessionId, title: 'T' }] });
    expect(got).toMatchObject({ sessionId, turn: 2 });
    expect(config).toMatchObject({ allowBypass: false });
  });

  it('of the six tools follow their schemas', async () => {
    const { call, model, sandbox } = await checkedScene({
      era,
      env: { ...structured, CLAUDE_CODE_MCP_TOOLSETS: 'sessions' },
    });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
    const look = async (status: string): Promise<Answer> =>
      until(`it is ${status}`, async () => {
        const now = await call('claude_get_status', { sessionId });
        return now['status'] === status && now;
      });

    const { sessionId } = await call('claude_create_session', {
      prompt: 'touch',
      workingDirectory: sandbox.project,
    });
    const asked = await look('waiting_for_input');
    const [input] = asked['pendingInputs'] as Answer[];
    await call('claude_respond', { sessionId, inputId: input?.['inputId'], decision: 'allow' });
    const done = await look('completed');
    await call('claude_send_message', { sessionId, message: 'hello' });
    await call('claude_interrupt', { sessionId });
    const list = await call('claude_list_sessions', {});

    expect(done).toMatchObject({ result: 'touched' });
    expect(list).toMatchObject({ sessions: [{ sessionId }] });
  });

  it('of a list with a session that someone else started follow its schema', async () => {
    const { call, sandbox, world } = await checkedScene({
      era,
      env: { ...structured, CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions' },
    });
    const { sessionId } = await call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const theirs = join(world.configDir, 'projects', projectFolderName(sandbox.project));
    const foreign = '00000000-0000-4000-8000-000000000001';
    const lines = readFileSync(join(theirs, `${String(sessionId)}.jsonl`), 'utf8');
    writeFileSync(join(theirs, `${foreign}.jsonl`), lines.replaceAll(String(sessionId), foreign));

    const disk = await call('claude_code_session', { action: 'list', scope: 'disk' });
    const all = await call('claude_code_session', { action: 'list', scope: 'all' });
    const six = await call('claude_list_sessions', {});

    for (const { sessions } of [disk, all, six])
      expect(sessions).toContainEqual(expect.objectContaining({ sessionId: foreign }));
  });

  it('of a turn that failed, and of the tool that watches and answers, follow their schemas', async () => {
    const { call, model, sandbox } = await checkedScene({
      era,
      env: { ...structured, CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' },
    });
    model.when('hello', [apiError(529, 'overloaded_error', 'Overloaded')]);

    const failed = await call('claude_code', { prompt: 'hello', cwd: sandbox.project, waitMs: 20_000 });
    const { sessionId } = failed;
    const polled = await call('claude_code_check', { action: 'poll', sessionId, responseMode: 'full' });

    expect(failed).toMatchObject({ status: 'error', result: { isError: true } });
    expect(polled).toMatchObject({ sessionId, status: 'error' });
  });

  it('have a schema with an object at its root, without references', async () => {
    const { server } = await startInProcess({ era, env: structured });

    const { tools } = await server.client.listTools();

    for (const { outputSchema } of tools) {
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(Object.keys(outputSchema ?? {})).not.toEqual(expect.arrayContaining(['anyOf']));
      expect(JSON.stringify(outputSchema)).not.toMatch(/\$ref|additionalProperties/);
    }
  });

  it('carry nothing but the text on an error', async () => {
    const { server } = await startInProcess({ era, env: structured });
    await server.client.listTools();

    const result = await server.client.callTool({ name: 'claude_code_check', arguments: {} });

    expect(result.isError).toBe(true);
    expect(result).not.toHaveProperty('structuredContent');
  });

  it('are off by default', async () => {
    const { server } = await startInProcess({ era });

    const { tools } = await server.client.listTools();
    const result = await server.client.callTool({
      name: 'claude_code_session',
      arguments: { action: 'list' },
    });

    expect(tools.filter((one) => 'outputSchema' in one)).toEqual([]);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(7_000);
    expect(result).not.toHaveProperty('structuredContent');
  });
});

describe('a structured result that waits for a person', () => {
  it('is a form first, and has its object when it is an answer', async () => {
    const { server, model, sandbox } = await startInProcess({
      era: 'modern',
      env: structured,
      capabilities: formCapability,
    });
    model.when('touch', [tool('Bash', { command: 'touch a.txt' }), text('touched')]);
    await server.client.listTools();
    const args = { prompt: 'touch', cwd: sandbox.project, waitMs: 20_000 };

    const { message } = await formOf(server, { name: 'claude_code', args });
    seatPerson(server, () => accept({ decision: 'allow' }));
    const result = await server.client.callTool({ name: 'claude_code', arguments: args });

    expect(message).toContain('touch a.txt');
    expect(isInputRequiredResult(result)).toBe(false);
    expect(result.structuredContent).toMatchObject({ status: 'idle', result: { result: 'touched' } });
    const handedOver = server
      .stdout()
      .split('\n')
      .find((line) => line.includes('input_required'));
    expect(handedOver).not.toContain('structuredContent');
  });
});
