import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScene, type Scene } from '../kit/fixture.js';
import { expectRefusals } from '../kit/widening-scene.js';
import { startTries } from '../kit/widening-tries.js';

async function startLinkedScene(): Promise<Scene> {
  const scene = await startScene({ era: 'modern' });
  symlinkSync(scene.sandbox.home, join(scene.sandbox.project, 'link-home'));
  return scene;
}

describe('a start that asks for more than a caller may have', () => {
  it('is refused with the reason, and starts nothing', async () => {
    const scene = await startLinkedScene();

    expect(startTries.length).toBeGreaterThan(40);
    await expectRefusals(scene, 'claude_code', startTries, (args) => ({ prompt: 'hello', ...args }));
  });
});
