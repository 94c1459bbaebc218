/** Against Anthropic's API, for money: only when asked for, with a key of whoever asks. */
import { describe, onTestFinished } from 'vitest';
import { createSandbox } from '../kit/sandbox.js';
import { connectServer } from '../kit/server-client.js';
import { backends } from '../kit/sessions-moves.js';
import { describeScenarios } from './scenarios.js';

const { CLAUDE_CODE_E2E: isWanted, ANTHROPIC_API_KEY: key = '' } = process.env;

/** What the sandbox keeps from the network, given back. */
const network = {
  ANTHROPIC_API_KEY: key,
  HTTP_PROXY: process.env['HTTP_PROXY'] ?? '',
  HTTPS_PROXY: process.env['HTTPS_PROXY'] ?? '',
  NO_PROXY: process.env['NO_PROXY'] ?? '',
  // It may be overloaded for a moment.
  CLAUDE_CODE_MAX_RETRIES: '3',
};

const name = 'on the API (needs CLAUDE_CODE_E2E=true and ANTHROPIC_API_KEY)';

describe.skipIf(isWanted !== 'true' || key === '')(name, () => {
  describe.each(backends)('with the backend %s', (backend) => {
    describeScenarios(async () => {
      const sandbox = createSandbox();
      onTestFinished(() => sandbox.remove());
      const server = await connectServer({
        sandbox,
        era: 'modern',
        env: { ...network, CLAUDE_CODE_MCP_TOOLSETS: 'sessions', CLAUDE_CODE_MCP_BACKEND: backend },
      });
      onTestFinished(() => server.close());
      return { server, sandbox };
    });
  });
});
