import { expect, it } from 'vitest';
import { human, start, wants, writeTrustedSettings } from '../kit/approval-moves.js';
import { startScene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

it('with human-only approvals, a rule that allows a fetch does not send data to the web', async () => {
  const scene = await startScene({ era: 'modern', env: human });
  writeTrustedSettings(scene, { permissions: { allow: ['WebFetch(domain:a.example)', 'WebFetch'] } });
  const input = { url: 'https://a.example/?q=secret', prompt: 'x' };
  wants(scene, tool('WebFetch', input));

  const { json } = await start(scene, { advanced: { tools: ['WebFetch'] } });

  expect(json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'WebFetch', input }] });
});
