import { describe, expect, it, onTestFinished } from 'vitest';
import { createCertificate, createExpiredCertificate } from '../../kit/certificate.js';
import { startBackstage } from '../../kit/fixture.js';
import { text } from '../../kit/model-steps.js';
import { connectServer } from '../../kit/server-client.js';
import { startService } from '../../kit/service.js';

describe('a service with TLS', () => {
  it('serves a client that trusts its certificate, and no other', async () => {
    const { sandbox, model } = await startBackstage();
    model.when('say hello', [text('Hello.')]);
    const { certPath, keyPath } = createCertificate('agents');
    const { url, token = '' } = await startService({
      sandbox,
      model,
      args: ['--tls-cert', certPath, '--tls-key', keyPath],
    });
    const env = { CLAUDE_CODE_MCP_TOKEN: token, NODE_EXTRA_CA_CERTS: certPath };

    const client = await connectServer({ sandbox, era: 'modern', args: ['connect', url], env });
    onTestFinished(() => client.close());
    const answer = await client.call('claude_code', {
      prompt: 'say hello',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const untrusting = await fetch(url).catch((error: Error) => (error.cause as Error).message);

    expect(url).toMatch(/^https:/);
    expect(answer.json).toMatchObject({ status: 'idle', result: { result: 'Hello.' } });
    expect(untrusting).toBe('self-signed certificate');
  });

  it.each([
    [
      'a key of another certificate',
      () => ({ ...createCertificate('one'), keyPath: createCertificate('two').keyPath }),
      /--tls-key .*: does not belong to the certificate in /,
    ],
    [
      'an expired certificate',
      () => createExpiredCertificate('old'),
      /--tls-cert .*: this certificate expired on 2020-12-31\. Renew it\./,
    ],
    [
      'a file that is no key',
      () => {
        const made = createCertificate('one');
        return { ...made, keyPath: made.certPath };
      },
      /not a certificate and its private key in PEM format/,
    ],
    [
      'a missing file',
      () => ({ ...createCertificate('one'), keyPath: '/no/such.key' }),
      /--tls-key \/no\/such\.key: could not be read/,
    ],
  ])('does not start with %s', async (_what, make, message) => {
    const { sandbox } = await startBackstage();
    const { certPath, keyPath } = make();

    const service = startService({ sandbox, args: ['--tls-cert', certPath, '--tls-key', keyPath] });

    await expect(service).rejects.toThrow(message);
  });
});
