import { BlockList, isIP } from 'node:net';

/** Where a server inside the operator's own network may answer: this machine, its links and private networks. */
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
  // Addresses that carry an IPv4 address inside.
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateRangesV6.addSubnet(network, prefix, 'ipv6');

const localNames = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|home\.arpa|corp|private)$/i;

/** By the address or name itself. A public name that leads to a private address is not found out here. */
export function isPrivateUrl(url: string): boolean {
  if (!URL.canParse(url)) return true;
  // The parser has already made one form of 127.1, 0x7f000001 and the like.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const version = isIP(host);
  if (version === 0) return localNames.test(host) || !host.includes('.');
  return version === 4 ? privateRanges.check(host, 'ipv4') : privateRangesV6.check(host, 'ipv6');
}
