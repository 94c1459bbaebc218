import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askedCommands } from '../kit/asked-commands.js';
import { startBackstage } from '../kit/fixture.js';
import { garbledName, plantDeepLink, takesAnyName } from '../kit/odd-paths.js';
import { connectServer } from '../kit/server-client.js';

it.runIf(takesAnyName).each(['any', 'human'])(
  'where reading is bounded, links that cannot be looked up lead nowhere without approval (%s)',
  async (approvals) => {
    const { model, sandbox } = await startBackstage();
    const { project, root } = sandbox;
    const secret = join(root, 'secret.txt');
    writeFileSync(secret, 'hidden words\n');
    for (const name of ['one', 'two']) mkdirSync(join(project, name));
    symlinkSync(secret, garbledName(join(project, 'one'), 'x'));
    writeFileSync(garbledName(join(project, 'two'), 'x'), 'other words\n');
    const deep = plantDeepLink(project, secret);
    const env = { CLAUDE_CODE_MCP_ROOTS: project, CLAUDE_CODE_MCP_APPROVALS: approvals };
    const server = await connectServer({ era: 'modern', model, sandbox, env });
    onTestFinished(() => server.close());
    const commands = ['diff -u one two', `cat ${deep}`];

    const asked = await askedCommands({ model, sandbox, server }, commands);

    expect(asked).toHaveLength(commands.length);
    expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
  },
);
