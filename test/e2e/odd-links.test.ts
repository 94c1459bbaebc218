import { writeFileSync } from 'node:fs';
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
