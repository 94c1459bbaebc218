import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrivateUrl } from '../../src/policy/private-address.js';

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
  ])('is the name %s', (host) => {
    expect(isPrivateUrl(`https://${host}/`)).toBe(true);
  });

  it.each([
    ['[::127.0.0.1]'],
    ['localhost..'],
    ['127.0.0.1..'],
    ['localhost.localdomain'],
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

  it('includes every address of a private network', () => {
    const byte = fc.integer({ min: 0, max: 255 });

    fc.assert(
      fc.property(fc.constantFrom('10', '127'), byte, byte, byte, (first, ...rest) => {
        expect(isPrivateUrl(`http://${[first, ...rest].join('.')}/`)).toBe(true);
      }),
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
    ['[2606:4700::1111]'],
  ])('is %s', (host) => {
    expect(isPrivateUrl(`https://${host}/mcp`)).toBe(false);
  });

  it.each([['8.8.8.8'], ['172.15.0.1'], ['172.32.0.1'], ['192.167.1.1'], ['100.128.0.1'], ['11.0.0.1']])(
    'is the number %s',
    (host) => {
      expect(isPrivateUrl(`https://${host}/mcp`)).toBe(false);
    },
  );
});
