import { expect, it } from 'vitest';
import { networkOf } from '../../../src/http/auth/network.js';

it.each([
  ['127.0.0.1', '127.0.0.0/8'],
  ['127.9.8.7', '127.0.0.0/8'],
  ['::ffff:127.0.0.2', '127.0.0.0/8'],
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('limits count %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
