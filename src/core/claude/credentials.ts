import { isObject } from '../json.js';

/** Variables that sign Claude Code in without a login: a key, a token, or a cloud provider. */
const credential = /^(ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_(OAUTH|USE)_.+)$/i;

export function hasCredentials(environment: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(environment).some(([name, value]) => Boolean(value) && credential.test(name));
}

/** Whether the content of a settings file signs Claude Code in. */
export function settingsHaveCredentials(settings: unknown): boolean {
  if (!isObject(settings)) return false;
  const { apiKeyHelper, env } = settings;
  return Boolean(apiKeyHelper) || (isObject(env) && hasCredentials(env));
}
