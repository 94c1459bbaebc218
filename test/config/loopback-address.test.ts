import { expect, it } from 'vitest';
import { loopbackAddress } from '../../src/config/loopback-address.js';
import { metricsTarget } from '../../src/config/metrics-target.js';

it.each([
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['127.0.0.2:8138', { host: '127.0.0.2', port: 8_138 }],
  ['localhost:8138', { host: '127.0.0.1', port: 8_138 }],
  ['[::1]:8138', { host: '::1', port: 8_138 }],
  [':8138', { host: '127.0.0.1', port: 8_138 }],
  ['127.0.0.1', undefined],
  ['127.0.0.1:65536', undefined],
  ['0.0.0.0:8138', undefined],
  ['[::]:8138', undefined],
  ['192.168.0.1:8138', undefined],
  ['127.0.0.1.example.com:8138', undefined],
  ['localhost.example.com:8138', undefined],
])('%s is an address of this machine only, or none', (text, expected) => {
  expect(loopbackAddress(text)).toEqual(expected);
});

it('is more than metrics are served for', () => {
  expect([metricsTarget('127.0.0.1:1'), metricsTarget('127.0.0.2:1')]).toEqual([
    { kind: 'http', host: '127.0.0.1', port: 1 },
    undefined,
  ]);
});
