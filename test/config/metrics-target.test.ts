import { expect, it } from 'vitest';
import { metricsTarget } from '../../src/config/metrics-target.js';
import { loadSettings } from '../../src/config/load.js';

it.each([
  ['off', 'off'],
  ['/var/lib/metrics/{pid}.prom', { kind: 'file', path: '/var/lib/metrics/{pid}.prom' }],
  [':9464', { kind: 'http', host: '127.0.0.1', port: 9464 }],
  ['127.0.0.1:0', { kind: 'http', host: '127.0.0.1', port: 0 }],
  ['localhost:9464', { kind: 'http', host: '127.0.0.1', port: 9464 }],
  ['[::1]:9464', { kind: 'http', host: '::1', port: 9464 }],
])('parses %s', (text, target) => {
  expect(metricsTarget(text)).toEqual(target);
});

it.each([
  '0.0.0.0:9464',
  '192.168.0.2:9464',
  '127.0.0.1.evil.example:9464',
  'example.com:9464',
  '[::]:9464',
  '::1:9464',
  '9464',
  ':65536',
  ':-1',
  ':9464/metrics',
  'http://127.0.0.1:9464',
  'metrics.prom',
  './metrics.prom',
  'on',
  ' ',
])('rejects %s, which is neither a file nor a loopback address', (text) => {
  expect(() => loadSettings({ metrics: text }, {})).toThrow(
    `--metrics=${text}: must be off, an absolute path, or 127.0.0.1:PORT`,
  );
});
