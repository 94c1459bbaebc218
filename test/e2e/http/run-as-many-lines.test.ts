import { expect, it } from 'vitest';
import { startBackstage } from '../../kit/fixture.js';
import { startRunAs } from '../../kit/run-as.js';
import type { Sandbox } from '../../kit/sandbox.js';
import { canRunAs } from '../../kit/system-users.js';

const line = '{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","message":{"content":"a"}}';

it.skipIf(!canRunAs)(
  'a principal with its own user cannot stop the service for others with many lines in its own transcript',
  { timeout: 200_000 },
  async () => {
    const { model, sandbox } = await startBackstage();
    // As in a small container. With more memory, it takes more lines, or more calls at once.
    const env: Sandbox['env'] = (of) => ({ ...sandbox.env(of), NODE_OPTIONS: '--max-old-space-size=128' });
    const scene = await startRunAs('agent-sdk', { model, sandbox: { ...sandbox, env } });
    const { sessionId } = await scene.run('alice', 'true');
    await scene.run(
      'alice',
      `cd "$CLAUDE_CONFIG_DIR"/projects/* && yes '${line}' | head -c 250000000 >> ${sessionId}.jsonl; ls -l`,
    );

    await Promise.race([
      scene.clients.alice.call(
        'claude_code_session',
        { action: 'transcript', sessionId },
        { timeout: 150_000 },
      ),
      scene.service.exited,
    ]).catch(() => undefined);

    const { status } = await fetch(new URL('/healthz', scene.service.url));
    expect(status).toBe(200);
  },
);
