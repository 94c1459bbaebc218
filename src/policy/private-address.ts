import { BlockList, isIP } from 'node:net';

/** Addresses inside the operator's own network: this machine, its links and private networks. */
const privateRanges = new BlockList();
const privateRangesV6 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  // Addresses with an embedded IPv4 address.
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateRangesV6.addSubnet(network, prefix, 'ipv6');

const localNames = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|home\.arpa|corp|private)$/i;

/** Checks the address or name itself. It does not detect a public name that resolves to a private address. */
export function isPrivateUrl(url: string): boolean {
  if (!URL.canParse(url)) return true;
  // The URL parser has already normalised 127.1, 0x7f000001 and the like.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const version = isIP(host);
  if (version === 0) return localNames.test(host) || !host.includes('.');
  return version === 4 ? privateRanges.check(host, 'ipv4') : privateRangesV6.check(host, 'ipv6');
}
