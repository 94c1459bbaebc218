import { BlockList, isIP } from 'node:net';

/**
 * The special-purpose registry of IANA and multicast: this machine, private networks, and addresses that no public
 * server has.
 */
const specialV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** IANA gives public addresses only from this network. All private and most special ones lie outside it. */
const globalUnicastV6 = blockList('ipv6', [['2000::', 3]]);

const specialGlobalUnicastV6 = blockList('ipv6', [
  // Protocol assignments. Teredo, one of them, embeds an IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 embeds an IPv4 address.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]);

const localNames =
  /(^|\.)(localhost|localdomain[46]?|local|internal|intranet|lan|home|home\.arpa|corp|private|svc)$/i;

/** Checks the address or name itself. It does not detect a public name that resolves to a private address. */
export function isPrivateUrl(url: string): boolean {
  if (!URL.canParse(url)) return true;
  // The URL parser has already normalised 127.1, 0x7f000001 and the like.
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.+$/, '');
  const version = isIP(host);
  if (version === 0) return localNames.test(host) || !host.includes('.');
  if (version === 4) return specialV4.check(host, 'ipv4');
  return !globalUnicastV6.check(host, 'ipv6') || specialGlobalUnicastV6.check(host, 'ipv6');
}

function blockList(
  family: 'ipv4' | 'ipv6',
  networks: readonly (readonly [network: string, prefix: number])[],
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}
