/** What the commands of the documentation need: a session, a service, and the files that they name. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createCertificate } from './certificate.js';
import { createReader, type RunDocumented } from './documented-command.js';
import { startScene } from './fixture.js';
import { startPublished } from './installed-package.js';
import { text } from './model-steps.js';
import { startService } from './service.js';

export async function startDocumentation(): Promise<RunDocumented> {
  const { server, model, sandbox } = await startScene({ era: 'modern' });
  for (const prompt of [
    'Create hello.txt',
    'Summarize the README',
    'Fix the failing test',
    'Update the changelog',
  ])
    model.when(prompt, [text('Done.')]);
  const started = await server.call('claude_code', {
    prompt: 'Create hello.txt',
    cwd: sandbox.project,
    waitMs: 20_000,
  });
  const id = started.json.sessionId.slice(0, 8);
  const { url, token = '' } = await startService({ sandbox, model });
  const file = (name: string, content: string): string => {
    const path = join(sandbox.root, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  mkdirSync(join(sandbox.root, 'owner'));
  const { certPath, keyPath } = createCertificate('agents.example.com');
  return createReader({
    sandbox,
    model,
    published: await startPublished(join(sandbox.root, 'registry'), onTestFinished),
    values: {
      f30e9777: id,
      '<id>': id,
      '<name>': 'cursor',
      '<command>': 'node dist/claude-code-mcp.js',
      '<url>': url,
      '<token>': token,
      '/path/to/project': sandbox.project,
      '/etc/claude-code-mcp/config.json': file(
        'config.json',
        JSON.stringify({
          roots: [join(sandbox.root, 'owner')],
          principals: { alice: { roots: [sandbox.project] } },
        }),
      ),
      '/etc/claude-code-mcp.json': file('server.json', '{ "maxSessions": 4 }'),
      '/var/log/claude-code-mcp/audit.jsonl': join(sandbox.root, 'audit.jsonl'),
      '/etc/ssl/agents.pem': certPath,
      '/etc/ssl/agents.key': keyPath,
      '192.0.2.10': '127.0.0.1',
      '8443': '0',
      'https://agents.example.com/mcp': url,
      '~/.config/agents-token': file('token', token),
    },
  });
}
