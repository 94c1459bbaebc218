import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { onePixel } from '../../kit/attached-files.js';
import { startServiceInProcess } from '../../kit/in-process-service.js';

it('a principal attaches files of its own root only', async () => {
  const scene = await startServiceInProcess({ principals: { alice: {}, bob: {} } });
  const [own, others] = [scene.rootOf('alice'), scene.rootOf('bob')];
  for (const root of [own, others]) writeFileSync(join(root, 'shot.png'), onePixel);
  const alice = await scene.connect('alice', { era: 'modern' });
  const attach = (path: string) =>
    alice.call('claude_code', { prompt: 'look', cwd: own, attachments: [path], waitMs: 20_000 });

  const refused = await Promise.all(['shot.png', 'none.png'].map((name) => attach(join(others, name))));
  const accepted = await attach('shot.png');

  expect(refused.map(({ text }) => text)).toEqual([
    expect.stringContaining("shot.png is outside the session's folders"),
    expect.stringContaining("none.png is outside the session's folders"),
  ]);
  expect(accepted.json).toMatchObject({ status: 'idle', result: { isError: false } });
});
