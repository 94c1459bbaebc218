import { expect, it } from 'vitest';
import { routeOf } from '../../../src/app/doctor/network-facts.js';

const api = { host: 'api.anthropic.com', port: 443 };
const proxy = { host: 'proxy.example', port: 3128 };
const HTTPS_PROXY = 'http://me:secret@proxy.example:3128';

it.each([
  ['without settings', {}, { api }],
  ['through a proxy', { HTTPS_PROXY }, { api, proxy }],
  ['through a proxy of a lower-case variable', { https_proxy: HTTPS_PROXY }, { api, proxy }],
  ['past the proxy', { HTTPS_PROXY, NO_PROXY: 'localhost, .anthropic.com' }, { api }],
  ['past every proxy', { HTTPS_PROXY, NO_PROXY: '*' }, { api }],
  [
    'to a gateway, which needs no proxy for https',
    { ANTHROPIC_BASE_URL: 'http://[::1]:4000/v1', HTTPS_PROXY },
    { api: { host: '::1', port: 4000 } },
  ],
  ['to a cloud provider', { CLAUDE_CODE_USE_BEDROCK: '1' }, undefined],
  ['to an address that is none', { ANTHROPIC_BASE_URL: 'gateway' }, undefined],
])('finds the way of Claude Code to its API: %s', (_case, environment, route) => {
  expect(routeOf(environment)).toEqual(route);
});
