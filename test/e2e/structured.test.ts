import { type JsonSchemaType } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene, type SceneOptions } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

const structured = { CLAUDE_CODE_MCP_STRUCTURED: '1' } as const;

type Answer = Readonly<Record<string, unknown>>;
type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>;

/** A scene whose calls are held against the schema of their tool, by the client and by a validator of its own. */
async function checkedScene(options: SceneOptions): Promise<Scene & { call: Call }> {
  const scene = await startScene(options);
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

describe('structured results', () => {
  const era = 'modern';
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
});
