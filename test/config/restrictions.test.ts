import { expect, it } from 'vitest';
import { loadSettings } from '../../src/config/load.js';
import { restrictionsOf } from '../../src/config/restrictions.js';
import { settings } from '../../src/config/settings.js';

/** They decide where, when and how something is done, but not what sessions and callers may do. */
const others = new Set([
  'checkResponds',
  'structured',
  'dynamicTools',
  'maxWaitMs',
  'backend',
  'claudePath',
  'startTimeoutMs',
  'defaultCwd',
  'permissionTimeoutMs',
  'idleProcessMs',
  'spare',
  'sessionTtlMs',
  'cleanupIntervalMs',
  'eventBufferSize',
  'stateDir',
  'keepDays',
  'stateMaxMb',
  // The error for another value would show it.
  'resumeSecret',
  'logLevel',
  'auditMaxBytes',
  'metrics',
  'web',
  'host',
  'port',
  'tlsCert',
  'tlsKey',
  'behindProxy',
  'publicUrl',
  'keepAliveMs',
  'maxConnections',
  'maxRequestsPerMinute',
  'oauthIssuer',
  'oauthAudience',
  'oauthJwksUrl',
  'oauthPrincipalClaim',
  'oauthPrincipals',
  'oauthScopes',
  'acceptSharedUid',
]);

it('every setting that restricts callers must be the same in a service that connect uses', () => {
  const compared = restrictionsOf(loadSettings({}, {}).settings);

  expect(Object.keys(settings).filter((key) => !Object.hasOwn(compared, key) && !others.has(key))).toEqual(
    [],
  );
});
