import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrivateUrl } from '../../src/policy/private-address.js';

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and 224.0.0.0/4. */
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The address in the network whose host part is taken from `bits`. */
function inside(network: string, bits: number): string {
  const [base = '', prefix] = network.split('/');
  const hostMask = 2 ** (32 - Number(prefix)) - 1;
  const address = base.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
  const number = (address | (bits & hostMask)) >>> 0;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

describe('an address of this machine or its networks', () => {
  it.each([
    ['127.0.0.1'],
    ['127.1'],
    ['127.255.255.254'],
    ['0x7f000001'],
    ['0x7f.1'],
    ['2130706433'],
    ['017700000001'],
    ['0'],
    ['0.0.0.0'],
    ['10.0.0.1'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.168.1.1'],
    ['192.168.1.1.'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['198.18.0.1'],
    ['①②⑦.⓪.⓪.①'],
    ['[::]'],
    ['[::1]'],
    ['[0:0:0:0:0:0:0:1]'],
    ['[::ffff:127.0.0.1]'],
    ['[::ffff:10.0.0.1]'],
    ['[64:ff9b::7f00:1]'],
    ['[2002:7f00:1::]'],
    ['[fc00::1]'],
    ['[fd00:ec2::254]'],
    ['[fe80::1]'],
    ['[fec0::1]'],
    ['[64:ff9b:1::7f00:1]'],
    ['[::ffff:0:127.0.0.1]'],
    ['[100::1]'],
    ['[ff02::1]'],
    ['[ff0e::1]'],
    ['[5f00::1]'],
    ['[2001::7f00:1]'],
    ['[2001:db8::1]'],
    ['[3fff::1]'],
    ['224.0.0.1'],
    ['239.255.255.250'],
    ['255.255.255.255'],
    ['192.0.2.1'],
  ])('is %s', (host) => {
    expect(isPrivateUrl(`http://${host}:8080/mcp`)).toBe(true);
  });

  it.each([
    ['localhost'],
    ['LOCALHOST'],
    ['localhost.'],
    ['a.localhost'],
    ['printer'],
    ['printer.local'],
    ['metadata.google.internal'],
    ['host.docker.internal'],
    ['wiki.corp'],
    ['nas.lan'],
    ['router.home'],
    ['notes.default.svc'],
    ['notes.default.svc.cluster.local'],
  ])('is the name %s', (host) => {
    expect(isPrivateUrl(`https://${host}/`)).toBe(true);
  });

  it.each([
    ['[::127.0.0.1]'],
    ['localhost..'],
    ['127.0.0.1..'],
    ['localhost.localdomain'],
    ['localhost4.localdomain4'],
    ['localhost6.localdomain6'],
    ['nas.home.arpa'],
  ])('is the rare spelling %s', (host) => {
    expect(isPrivateUrl(`https://${host}/`)).toBe(true);
  });

  it('is detected despite a user, a port, a path or a tab', () => {
    const urls = [
      'http://a.example@127.0.0.1/',
      'http://a.example:80@localhost/',
      'http://127.0.0.1:80#a.example',
      'http://127.0.0.1?a.example',
      'http://loc\talhost/',
      'http:127.0.0.1',
      'http:\\\\127.0.0.1',
    ];

    expect(urls.filter((url) => !isPrivateUrl(url))).toEqual([]);
  });

  it('includes everything that cannot be parsed', () => {
    expect(
      ['', 'a.example', 'http://', 'http://[::1', 'http://a b/'].filter((url) => !isPrivateUrl(url)),
    ).toEqual([]);
  });

  it('includes every IPv4 address of the special-purpose registry and multicast', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...specialV4),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        (network, bits) => {
          expect(isPrivateUrl(`http://${inside(network, bits)}/`)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('includes every IPv6 address outside 2000::/3', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }).filter((first) => first >> 13 !== 1),
        fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 }),
        (first, rest) => {
          const groups = [first, ...rest].map((group) => group.toString(16));
          expect(isPrivateUrl(`http://[${groups.join(':')}]/`)).toBe(true);
        },
      ),
    );
  });
});

describe('a public address', () => {
  it.each([
    ['mcp.example.com'],
    ['internal.example.com'],
    ['localhost.example.com'],
    ['mylocalhost.com'],
    ['a.homes'],
    ['svc.example.com'],
    ['mysvc.com'],
    ['[2606:4700::1111]'],
    ['[2001:4860:4860::8888]'],
    ['[2a00:1450::1]'],
    ['[3ffe::1]'],
  ])('is %s', (host) => {
    expect(isPrivateUrl(`https://${host}/mcp`)).toBe(false);
  });

  it.each([
    ['8.8.8.8'],
    ['172.15.0.1'],
    ['172.32.0.1'],
    ['192.167.1.1'],
    ['100.128.0.1'],
    ['11.0.0.1'],
    ['223.255.255.255'],
  ])('is the number %s', (host) => {
    expect(isPrivateUrl(`https://${host}/mcp`)).toBe(false);
  });
});
