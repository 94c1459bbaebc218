import { expect, it } from 'vitest';
import { composeTools } from '../../src/app/compose-tools.js';
import { AppError } from '../../src/core/errors.js';
import { errorText } from '../../src/mcp/errors.js';
import { blindRedactor } from '../kit/redactors.js';

const settings = { toolsets: ['async'], checkResponds: false, maxExecutionTime: 1 } as const;
const error = new AppError('not_signed_in', {
  executable: '/opt/claude',
  configDir: '/srv/claude',
  isStart: true,
});

async function worded(words: Parameters<typeof composeTools>[1]): Promise<string> {
  const [tool] = await composeTools(settings, words);
  return tool === undefined ? '' : errorText(error, tool.vocabulary, blindRedactor);
}

it('errors name the command of the server as a person types it', async () => {
  expect(await worded({ command: 'npx -y mcp-server-claude-code' })).toBe(
    "Error [UNAVAILABLE]: Claude Code is not signed in. Ask a person to run `npx -y mcp-server-claude-code login` or `/opt/claude auth login` with CLAUDE_CONFIG_DIR=/srv/claude on the server's machine, or ask the operator to set ANTHROPIC_API_KEY for this server and restart it; then try again.",
  );
});

it('errors of a service name no paths of its machine', async () => {
  expect(await worded({ command: 'node /srv/x.js', tenant: { places: new Map() } })).toBe(
    'Error [UNAVAILABLE]: Claude Code is not signed in. Ask the operator of this service to sign Claude Code in for you, or to give you an API key (apiKeyFile); then try again.',
  );
});
