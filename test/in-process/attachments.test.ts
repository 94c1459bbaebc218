import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onePixel } from '../kit/attached-files.js';
import { startInProcess } from '../kit/in-process.js';

const image = onePixel.toString('base64');

describe('attachments', () => {
  it.each([
    ['async', 'claude_code', { prompt: 'look', waitMs: 20_000 }],
    ['query', 'claude_code_query', { prompt: 'look' }],
    ['sessions', 'claude_create_session', { prompt: 'look' }],
  ])('go with the first prompt in the toolset %s', async (toolset, name, args) => {
    const { server, model, sandbox } = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_TOOLSETS: toolset },
    });
    writeFileSync(join(sandbox.project, 'shot.png'), onePixel);

    const { json } = await server.call(name, { ...args, attachments: ['shot.png'] });

    const [first] = model.requests(json.sessionId);
    expect(first?.promptText).toBe('look');
    expect(JSON.stringify(first?.body.messages)).toContain(image);
  });

  it('go with a message in the toolset sessions', async () => {
    const { server, model, sandbox } = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_TOOLSETS: 'sessions' },
    });
    writeFileSync(join(sandbox.project, 'shot.png'), onePixel);
    const { json } = await server.call('claude_create_session', { prompt: 'begin' });
    const { sessionId } = json;

    await server.call('claude_send_message', { sessionId, message: 'look', attachments: ['shot.png'] });
    await expect.poll(() => model.requests(sessionId).length).toBe(2);

    expect(JSON.stringify(model.requests(sessionId)[1]?.body.messages)).toContain(image);
  });

  it('are at most 20', async () => {
    const { server } = await startInProcess({ era: 'modern' });

    const refused = await server.call('claude_code', {
      prompt: 'look',
      attachments: Array.from({ length: 21 }, (_, index) => `${index}.png`),
    });

    expect(refused.text).toContain('[INVALID_ARGUMENT]');
    expect(refused.text).toContain('attachments');
  });

  it('cannot come with the reading of an earlier query', async () => {
    const { server } = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_TOOLSETS: 'query' } });

    const refused = await server.call('claude_code_query', {
      sessionId: '0b8f6a52-3c1d-4f7e-9a60-5d2e8c7b1f04',
      attachments: ['shot.png'],
    });

    expect(refused.text).toContain('attachments cannot be used with sessionId. Leave it out.');
  });
});
