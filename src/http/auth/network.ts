import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);

/**
 * The network of an address, for limits by sender. Every program of a machine has all loopback addresses, and every
 * customer of a provider has at least all IPv6 addresses that begin with the same 64 bits.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  const plain = mapped !== undefined && isIPv4(mapped) ? mapped : address;
  if (isIPv4(plain)) return loopback.check(plain) ? '127.0.0.0/8' : plain;
  return isIPv6(plain) ? prefixOf(plain) : plain;
}

function prefixOf(address: string): string {
  // In its shortest form, without a zone.
  const [withoutZone] = address.split('%', 1);
  const { address: short } = new SocketAddress({ address: withoutZone, family: 'ipv6' });
  const [head = '', tail] = short.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0');
  return `${[...groups, ...zeros, ...rest].slice(0, 4).join(':')}::/64`;
}
