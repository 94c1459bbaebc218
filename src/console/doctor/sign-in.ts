import { asText, isObject, type JsonObject } from '../../core/json.js';
import type { Finding } from './check.js';

const signInFix = 'Run claude-code-mcp login, or set ANTHROPIC_API_KEY in the environment of the server.';

const clouds: Readonly<Record<string, string>> = {
  bedrock: 'Amazon Bedrock: your AWS account pays.',
  vertex: 'Google Vertex AI: your Google Cloud project pays.',
  foundry: 'Microsoft Foundry: your Azure subscription pays.',
};

/** How Claude Code is signed in, and who pays, by the answer of `auth status --json`. Shows no secrets. */
export function checkSignIn(status: unknown): Finding {
  const id = 'sign-in';
  const isKnown = isObject(status) && typeof status['loggedIn'] === 'boolean';
  if (!isKnown)
    return {
      id,
      status: 'warn',
      message: 'Claude Code did not say whether it is signed in.',
      fix: 'Update Claude Code. If sessions fail with not_signed_in, run claude-code-mcp login.',
    };
  if (status['loggedIn'] === false)
    return { id, status: 'fail', message: 'Claude Code is not signed in.', fix: signInFix };
  return { id, status: 'ok', message: `Signed in with ${means(status)}` };
}

function means(status: JsonObject): string {
  const { authMethod, apiProvider, apiKeySource, subscriptionType } = status;
  const cloud = clouds[asText(apiProvider) ?? ''];
  if (cloud !== undefined) return cloud;
  const plan = asText(subscriptionType);
  switch (authMethod) {
    case 'api_key':
      return `an API key (${asText(apiKeySource) ?? 'source unknown'}): the account of the key pays by usage.`;
    case 'api_key_helper':
      return 'apiKeyHelper in the settings of Claude Code: the account of its key pays by usage.';
    case 'oauth_token':
      return 'a token from an environment variable: its account pays.';
    case 'claude.ai':
      return `a Claude subscription${plan === undefined ? '' : ` (${plan})`}, which pays.`;
    default:
      return `${asText(authMethod) ?? 'an unknown method'}.`;
  }
}
