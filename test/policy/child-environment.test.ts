import { expect, it } from 'vitest';
import { depthVariable, ownVariables, settings } from '../../src/config/settings.js';
import { childEnvironment, inheritedVariables } from '../../src/policy/child-environment.js';

it("passes on the user's environment", () => {
  const environment = {
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CONFIG_DIR: '/c',
    EMPTY: '',
    GONE: undefined,
  };

  expect(childEnvironment(environment, { ownVariables, cwd: '/server' })).toEqual({
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CONFIG_DIR: '/c',
    EMPTY: '',
  });
});

it('removes all of our own variables', () => {
  const names = [depthVariable, ...Object.values(settings).flatMap(({ env }) => env)];
  const environment = Object.fromEntries(names.map((name) => [name, '1']));

  expect(childEnvironment(environment, { ownVariables, cwd: '/server' })).toEqual({});
});

it('removes the variables that mark a nested Claude Code', () => {
  const environment = {
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
    CLAUDE_CODE_SESSION_ID: 'x',
    CLAUDE_CODE_SSE_PORT: '1',
    CLAUDE_AGENT_SDK_VERSION: '0.3.325',
    CLAUDE_PROJECT_DIR: '/p',
    CLAUDE_CODE_SESSION_KIND: 'bg',
    CLAUDE_JOB_DIR: '/j',
    CLAUDE_BG_RENDEZVOUS_SOCK: '/s',
    CLAUDE_BG_WORKSPACE_TRUSTED: '1',
    CLAUDE_BG_SESSION_PERMISSION_RULES: '{}',
    CLAUDE_CODE_USE_BEDROCK: '1',
  };

  expect(childEnvironment(environment, { ownVariables, cwd: '/server' })).toEqual({
    CLAUDE_CODE_USE_BEDROCK: '1',
  });
});

it('does not change its input', () => {
  const environment = Object.freeze({ CLAUDECODE: '1', PATH: '/bin' });

  expect(childEnvironment(environment, { ownVariables: new Set(['PATH']), cwd: '/server' })).toEqual({});
});

it.each([
  ['', {}],
  ['conf', { CLAUDE_CONFIG_DIR: '/server/conf' }],
  ['/c', { CLAUDE_CONFIG_DIR: '/c' }],
])('resolves the config folder %j to the same path in every session', (configDir, expected) => {
  const environment = { CLAUDE_CONFIG_DIR: configDir };

  expect(childEnvironment(environment, { ownVariables, cwd: '/server' })).toEqual(expected);
});

it('passes on only the listed variables of a service', () => {
  const passed = {
    PATH: '/bin',
    LC_TIME: 'de_DE',
    http_proxy: 'http://p',
    ANTHROPIC_BASE_URL: 'http://m',
    CLAUDE_CODE_USE_VERTEX: '1',
    AWS_REGION: 'eu',
  };
  const environment = {
    ...passed,
    AWS_SECRET_ACCESS_KEY: 's',
    GITHUB_TOKEN: 't',
    NODE_OPTIONS: '--require ./x.js',
    LD_PRELOAD: '/x.so',
    PATHS: 'x',
    CLAUDE_CODE_SESSION_ID: 'x',
    CLAUDE_CODE_MCP_RESUME_SECRET: 'r',
  };
  const only = [...inheritedVariables, 'AWS_REG*'];

  expect(childEnvironment(environment, { ownVariables, cwd: '/server', only })).toEqual(passed);
});
