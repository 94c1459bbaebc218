import { expect, it } from 'vitest';
import { parseSessionUri } from '../../src/mcp/resources/session-resources.js';

const id = '00000000-0000-4000-8000-000000000001';
const base = `claude-code://sessions/${id}`;

it.each([
  [base, { sessionId: id, part: 'session', from: undefined }],
  [`${base}/events`, { sessionId: id, part: 'events', from: undefined }],
  [`${base}/events?after=12`, { sessionId: id, part: 'events', from: 12 }],
  [`${base}/transcript?offset=20`, { sessionId: id, part: 'transcript', from: 20 }],
  [`${base}/result`, { sessionId: id, part: 'result', from: undefined }],
])('%s is read', (uri, expected) => {
  expect(parseSessionUri(uri)).toEqual(expected);
});

it.each([
  'claude-code://sessions',
  'claude-code://sessions/',
  `${base}/`,
  `${base}/secrets`,
  `${base}/constructor`,
  `${base}?after=1`,
  `${base}/events?offset=1`,
  `${base}/events?after=-1`,
  `${base}/events?after=1&after=2`,
  `${base}/events#top`,
  `claude-code://sessions/../${id}`,
  `claude-code://sessions/%2e%2e/${id}`,
  `file:///etc/passwd`,
  `https://sessions/${id}`,
])('%s names nothing about a session', (uri) => {
  expect(parseSessionUri(uri)).toBeUndefined();
});
