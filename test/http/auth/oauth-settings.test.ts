import { describe, expect, it } from 'vitest';
import { oauthSettings } from '../../../src/app/service/compose-login.js';
import { ConfigError } from '../../../src/config/config-error.js';
import { loadSettings } from '../../../src/config/load.js';

const settingsOf = (flags: Readonly<Record<string, string>>) =>
  oauthSettings(loadSettings(flags, {}).settings);

const complete = {
  'oauth-issuer': 'https://login.example.com',
  'oauth-audience': 'https://mcp.example.com/mcp',
};

describe('the settings of OAuth', () => {
  it('are off by default', () => {
    expect(settingsOf({})).toBeUndefined();
  });

  it('map claims to principals and scopes to scopes', () => {
    const found = settingsOf({
      ...complete,
      'oauth-principal-claim': 'email',
      'oauth-principals': 'uid=7=owner,auth0|17=alice',
      'oauth-scopes': 'call=mcp:use',
    });

    expect(found).toEqual({
      issuer: 'https://login.example.com',
      audience: 'https://mcp.example.com/mcp',
      principalClaim: 'email',
      principals: new Map([
        ['uid=7', 'owner'],
        ['auth0|17', 'alice'],
      ]),
      scopeNames: { call: 'mcp:use', approve: 'approve' },
      owner: 'owner',
    });
  });

  it.each<[Readonly<Record<string, string>>, RegExp]>([
    [{ 'oauth-issuer': complete['oauth-issuer'] }, /needs an audience/],
    [{ 'oauth-audience': 'x' }, /oauthAudience: has no effect without an issuer/],
    [{ 'oauth-jwks-url': 'https://x.example.com/keys' }, /oauthJwksUrl: has no effect without an issuer/],
    [{ 'oauth-principals': 'a=b' }, /has no effect without an issuer/],
    [{ ...complete, 'oauth-scopes': 'read=x' }, /read is not a scope/],
    [{ ...complete, 'oauth-principals': 'alice' }, /must have the form name=value/],
    [
      { 'oauth-issuer': 'http://login.example.com' },
      /must be an https address, or an http address on this machine/,
    ],
    [{ 'oauth-jwks-url': 'http://localhost.example.com/k' }, /must be an https address/],
    [{ 'oauth-jwks-url': 'https://user:password@example.com/k' }, /must be an https address/],
  ])('stop the service when they are incomplete or insecure: %j', (flags, words) => {
    expect(() => settingsOf(flags)).toThrow(ConfigError);
    expect(() => settingsOf(flags)).toThrow(words);
  });

  it.each(['http://127.0.0.1:9000', 'http://localhost/realm', 'http://[::1]:1', 'https://a.example.com'])(
    'accept %s',
    (issuer) => {
      expect(settingsOf({ ...complete, 'oauth-issuer': issuer })).toMatchObject({ issuer });
    },
  );
});
