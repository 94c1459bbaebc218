import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { startService } from '../../kit/service.js';

it('the service shows its metrics to an admin, and a second one refuses to start on its port', async () => {
  const { sandbox } = await startBackstage();
  const { url, token, pid } = await startService({ sandbox });
  const { origin, port } = new URL(url);

  const second = startService({ sandbox, args: ['--port', port] });
  const metrics = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token ?? ''}` } });
  const withoutToken = await fetch(`${origin}/metrics`);

  await expect(second).rejects.toThrow(
    `The service exited with 2.\nclaude-code-mcp: Your service already runs at ${url}, process ${pid}. `,
  );
  expect([metrics.status, withoutToken.status]).toEqual([200, 401]);
  expect(await metrics.text()).toContain('claude_code_mcp_sessions{state="running"} 0');
});
