import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askedCommands } from '../kit/asked-commands.js';
import { startBackstage } from '../kit/fixture.js';
import { plantDeepLink, takesAnyName } from '../kit/odd-paths.js';
import { connectServer } from '../kit/server-client.js';

it.runIf(takesAnyName).each(['any', 'human'])(
  'where reading is bounded, a link that cannot be looked up leads nowhere without approval (%s)',
  async (approvals) => {
    const { model, sandbox } = await startBackstage();
    const { project, root } = sandbox;
    const secret = join(root, 'secret.txt');
    writeFileSync(secret, 'hidden words\n');
    const deep = plantDeepLink(project, secret);
    const env = { CLAUDE_CODE_MCP_ROOTS: project, CLAUDE_CODE_MCP_APPROVALS: approvals };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());

    const asked = await askedCommands({ model, sandbox, server }, [`cat ${deep}`]);

    expect(asked).toEqual([`cat ${deep}`]);
    expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
  },
);

it.each(['agent-sdk', 'cli'])(
  'where reading is bounded, a link that another command can turn leads nowhere without approval (%s)',
  async (backend) => {
    const { model, sandbox } = await startBackstage();
    const { project, root } = sandbox;
    writeFileSync(join(root, 'secret.txt'), 'hidden words\n');
    mkdirSync(join(project, 'src', 'deep', 'er'), { recursive: true });
    symlinkSync('src/deep/er', join(project, 'a'));
    symlinkSync('a/../../secret.txt', join(project, 'b'));
    const env = {
      CLAUDE_CODE_MCP_ROOTS: project,
      CLAUDE_CODE_MCP_APPROVALS: 'any',
      CLAUDE_CODE_MCP_BACKEND: backend,
    };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());
    const command = 'rm a && mkdir a && cat b';

    const asked = await askedCommands({ model, sandbox, server }, [command], {
      permissionMode: 'acceptEdits',
    });

    expect(asked).toEqual([command]);
    expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
  },
);
