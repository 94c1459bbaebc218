import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exists, start, touch, wants, writeUserSettings } from '../kit/approval-moves.js';
import { realClaude } from '../kit/argv-log.js';
import { startBackstage } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

it.each(['agent-sdk', 'cli'])(
  'on %s, Claude Code is stopped before it runs a tool if its command turns off hooks',
  async (backend) => {
    const backstage = await startBackstage();
    const command = join(backstage.sandbox.root, 'claude');
    writeFileSync(command, `#!/bin/sh\nexec '${realClaude()}' --bare "$@"\n`, { mode: 0o755 });
    const env = { CLAUDE_CODE_MCP_BACKEND: backend, CLAUDE_CODE_PATH: command };
    const server = await connectServer({ ...backstage, era: 'modern', env });
    onTestFinished(() => server.close());
    const scene = { ...backstage, server };
    writeUserSettings(scene, { permissions: { allow: ['Bash'] } });
    wants(scene, tool('Bash', touch));

    const { text } = await start(scene);

    expect(text).toMatch(
      /^Error \[UNAVAILABLE\]: Claude Code was stopped because it does not call the hooks/,
    );
    expect(exists(scene, 'a.txt')).toBe(false);
  },
);

it.each(['agent-sdk', 'cli'])(
  'on %s, this also holds for a process that continues a session',
  async (backend) => {
    const backstage = await startBackstage();
    const command = join(backstage.sandbox.root, 'claude');
    const useClaude = (flags: string): void =>
      writeFileSync(command, `#!/bin/sh\nexec '${realClaude()}' ${flags} "$@"\n`, { mode: 0o755 });
    const env = { CLAUDE_CODE_MCP_BACKEND: backend, CLAUDE_CODE_PATH: command };
    useClaude('');
    const first = await connectServer({ ...backstage, era: 'modern', env });
    onTestFinished(() => first.close());
    const { json } = await start({ ...backstage, server: first });
    await first.close();
    useClaude('--bare');
    const server = await connectServer({ ...backstage, era: 'modern', env });
    onTestFinished(() => server.close());
    const scene = { ...backstage, server };
    writeUserSettings(scene, { permissions: { allow: ['Bash'] } });
    wants(scene, tool('Bash', touch));

    const replied = await server.call('claude_code_reply', {
      sessionId: json.sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(replied.json.result?.result).toMatch(/does not call the hooks/);
    expect(exists(scene, 'a.txt')).toBe(false);
  },
);
