import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start, wants } from '../kit/approval-moves.js';
import { startBackstage } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';
import { connectServer } from '../kit/server-client.js';

/** In Big5, the last byte of the character and the backslash are one character, so that the quotation ends. */
const command = 'echo "中\\"; touch a.txt; echo "中\\"""';

it.skipIf(!existsSync('/usr/share/i18n/charmaps/BIG5.gz'))(
  'a caller cannot choose the encoding of the shell by a name that only ends like UTF-8',
  async () => {
    const { model, sandbox } = await startBackstage();
    const locales = join(sandbox.root, 'locales');
    mkdirSync(locales);
    spawnSync('localedef', ['-i', 'zh_TW', '-f', 'BIG5', join(locales, 'zh_TW')]);
    const env = { CLAUDE_CODE_MCP_APPROVALS: 'any', SHELL: '/bin/bash', LOCPATH: locales };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    const scene = { model, sandbox, server };
    wants(scene, tool('Bash', { command }));

    const started = await start(scene, { advanced: { env: { LC_ALL: 'zh_TW@x.UTF-8' } } });

    await server.close();
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false);
    expect(started.isError).toBe(true);
  },
);
