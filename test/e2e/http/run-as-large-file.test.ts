import { expect, it } from 'vitest';
import { startRunAs } from '../../kit/run-as.js';
import { canRunAs } from '../../kit/system-users.js';

it.skipIf(!canRunAs)(
  'a principal with its own user cannot stop the service for others with files of its own Claude Code',
  { timeout: 200_000 },
  async () => {
    const scene = await startRunAs('agent-sdk');
    await scene.run('bob', 'true');
    // One file of 60 MB, under many names, in the registry of live sessions.
    await scene.run(
      'alice',
      [
        'cd "$CLAUDE_CONFIG_DIR" && mkdir -p sessions && cd sessions',
        `(printf '['; yes '{},' | head -c 80000000 | tr -d '\\n'; printf '{}]') > ../large`,
        'for i in $(seq 1000 1050); do ln ../large $i.json; done',
        'ls | wc -l',
      ].join('; '),
    );

    const { call } = scene.clients.alice;
    call('claude_code_session', { action: 'list', scope: 'all' }).catch(() => undefined);
    const asked = new Promise((resolve) => setTimeout(resolve, 1_000)).then(() =>
      fetch(new URL('/healthz', scene.service.url), { signal: AbortSignal.timeout(15_000) }),
    );
    const health = await asked.then(({ status }) => status, String);
    scene.service.kill('SIGKILL');

    expect(health).toBe(200);
  },
);
