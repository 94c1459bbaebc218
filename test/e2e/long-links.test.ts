import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { any, start, touch, wants } from '../kit/approval-moves.js';
import { startBackstage } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

it('a repository with long links does not stop the server', { timeout: 90_000 }, async () => {
  const backstage = await startBackstage();
  const { project } = backstage.sandbox;
  plantLongLinks(project, 1_000);
  const server = await connectServer({ ...backstage, era: 'modern', env: any });
  onTestFinished(() => void process.kill(server.pid, 'SIGKILL'));
  wants({ ...backstage, server }, tool('Bash', touch));

  const answer = await Promise.race([
    start({ ...backstage, server }).then(({ json }) => json.actions?.[0]?.toolName),
    new Promise((resolve) => setTimeout(resolve, 60_000, 'no answer within 60 s')),
  ]);

  expect(answer).toBe('Bash');
});

/** Each takes up to 40 links with 1,600 steps to resolve. */
function plantLongLinks(folder: string, count: number): void {
  mkdirSync(join(folder, 'a'));
  symlinkSync('a', join(folder, 'l0'));
  for (let index = 1; index < count; index += 1)
    symlinkSync('a/../'.repeat(815) + (index % 39 === 0 ? 'a' : `l${index - 1}`), join(folder, `l${index}`));
}
