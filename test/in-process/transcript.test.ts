import { expect, it } from 'vitest';
import { startInProcess } from '../kit/in-process.js';

it('a transcript shows no secret of the server, not even where its text is cut', async () => {
  const secret = 'sk-planted-0123456789abcdefghij';
  const { server, sandbox } = await startInProcess({ era: 'modern', env: { PLANTED_TOKEN: secret } });
  const prompt = `${'x'.repeat(3_990)}${secret}${'y'.repeat(4_000)}`;
  const { json } = await server.call('claude_code', { prompt, cwd: sandbox.project, waitMs: 20_000 });

  const { text } = await server.call('claude_code_session', {
    action: 'transcript',
    sessionId: json.sessionId,
  });

  expect(text).toContain('x'.repeat(1_000));
  expect(text.length).toBeLessThanOrEqual(7_500);
  expect(text).not.toContain('sk-planted');
});
