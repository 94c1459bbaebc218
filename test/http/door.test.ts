import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDoor, type Door } from '../../src/app/service/compose-listener.js';
import { ConfigError } from '../../src/config/config-error.js';
import { loadSettings } from '../../src/config/load.js';
import { listenFor } from '../kit/http.js';
import { temporaryFolder } from '../kit/temporary-folder.js';

/** Opens the port that these flags describe, until the end of the test. */
async function openWith(flags: Record<string, string>, own?: { url: string; pid: number }): Promise<Door> {
  const { settings } = loadSettings({ port: '0', ...flags }, {});
  const door = await openDoor(settings, { log: () => undefined }, async () => own);
  onTestFinished(() => door.listener.close());
  return door;
}

describe('the address of the service', () => {
  it('has all names of the loopback interface', async () => {
    const { origin, guards, listener } = await openWith({});

    expect(origin).toBe(`http://127.0.0.1:${listener.port}`);
    expect([...guards.hosts]).toEqual([
      `127.0.0.1:${listener.port}`,
      `localhost:${listener.port}`,
      `[::1]:${listener.port}`,
    ]);
    expect([...guards.origins]).toEqual([...guards.hosts].map((host) => `http://${host}`));
  });

  it('is the public one behind a proxy', async () => {
    const { origin, guards } = await openWith({ 'public-url': 'https://agents.example.com/' });

    expect(origin).toBe('https://agents.example.com');
    expect([...guards.hosts]).toEqual(
      expect.arrayContaining(['agents.example.com', 'agents.example.com:443']),
    );
    expect([...guards.origins]).toContain('https://agents.example.com');
  });
});

describe('the service refuses to start', () => {
  it.each([
    [
      'on a network without TLS',
      { host: '192.0.2.1' },
      '--host 192.0.2.1: other machines can reach this address, and tokens would cross the network unencrypted. Set --tls-cert and --tls-key, or --behind-proxy if a reverse proxy with TLS is in front of the service.',
    ],
    [
      'on a name that may point anywhere',
      { host: 'localhost.example' },
      '--host localhost.example: not an IP address. Use an address of this machine',
    ],
    [
      'on all addresses without a public one',
      { host: '0.0.0.0', 'behind-proxy': '1' },
      '--host 0.0.0.0: the service must know the address that clients use, to refuse requests to other host names. Set --public-url, such as https://agents.example.com.',
    ],
    [
      'on an address of another machine',
      { host: '192.0.2.1', 'behind-proxy': '1' },
      '--host 192.0.2.1: this machine does not have this address.',
    ],
    ['with half of a certificate', { 'tls-cert': '/cert.pem' }, '--tls-cert needs --tls-key'],
    ['with the other half', { 'tls-key': '/key.pem' }, '--tls-key needs --tls-cert'],
    [
      'without the file of the certificate',
      { 'tls-cert': '/missing.pem', 'tls-key': '/missing.pem' },
      '--tls-cert /missing.pem: could not be read',
    ],
    ['with a public URL without TLS', { 'public-url': 'http://agents.example.com' }, 'must be an https URL'],
    ['with a path in the public URL', { 'public-url': 'https://a.example/x' }, 'must be an https URL'],
    ['with a password in the public URL', { 'public-url': 'https://u:p@a.example' }, 'must be an https URL'],
  ])('%s', async (_name, flags, message) => {
    const opening = openWith(flags);

    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(message);
  });

  it('with a file that is no certificate', async () => {
    const file = join(temporaryFolder(), 'cert.pem');
    writeFileSync(file, 'hello');

    const opening = openWith({ 'tls-cert': file, 'tls-key': file });

    await expect(opening).rejects.toThrow('not a certificate and its private key in PEM format');
  });

  it('on the port of the service of the same state folder', async () => {
    const { port } = await listenFor(async () => new Response());
    const url = `http://127.0.0.1:${port}/mcp`;

    const opening = openWith({ port: String(port) }, { url, pid: 4711 });

    await expect(opening).rejects.toThrow(
      new ConfigError(
        `Your service already runs at ${url}, process 4711. To use it, give this address to your clients, or run: claude-code-mcp open. To stop it, run: claude-code-mcp serve stop`,
      ),
    );
  });

  it('on a port that is in use', async () => {
    const { port } = await listenFor(async () => new Response());

    const elsewhere = { url: 'http://127.0.0.1:1/mcp', pid: 4711 };
    const opening = openWith({ port: String(port) }, elsewhere);

    await expect(opening).rejects.toThrow(
      new ConfigError(
        `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or choose another port with --port (0: any free port).`,
      ),
    );
  });
});
