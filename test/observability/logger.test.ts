import { expect, it } from 'vitest';
import { withFields, type LogLevel } from '../../src/core/observability/logger.js';
import { createLogger } from '../../src/observability/logger.js';
import { redactorOf } from '../kit/redactors.js';

function createLog(level: LogLevel, isTerminal = false) {
  const lines: string[] = [];
  const logger = createLogger(level, {
    write: (line) => void lines.push(line),
    isTerminal,
    now: () => Date.UTC(2026, 0, 1),
    redactor: redactorOf('s3cr3t-of-the-log'),
  });
  return { lines, logger };
}

it('writes one JSON line with its fields', () => {
  const { lines, logger } = createLog('info');

  logger.log('warn', 'two\nlines', { sessionId: 's', count: 2, missing: undefined });

  expect(lines).toEqual([
    '{"time":"2026-01-01T00:00:00.000Z","level":"warn","message":"two\\nlines","sessionId":"s","count":2}\n',
  ]);
});

it('escapes line ends and cursor movements in JSON lines, without losing text', () => {
  const { lines, logger } = createLog('info');
  const client = 'a\u2028b\u0085c\u009b31m\u007f\u202e\u{e0001}';

  logger.log('info', 'tool call', { client });

  expect(lines[0]).toMatch(/^[\u0020-\u007e]+\n$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ client });
});

it.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
] as const)('at %s writes %j', (level, written) => {
  const { lines, logger } = createLog(level);

  for (const one of ['debug', 'info', 'warn', 'error'] as const) logger.log(one, one);

  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(written);
});

it('writes no secret, neither in messages nor in fields', () => {
  const { lines, logger } = createLog('info');

  logger.log('info', 'met s3cr3t-of-the-log', { reason: 'Bearer abc-123-def-456', count: 1 });

  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { message: 'met [redacted]', reason: 'Bearer [redacted]', count: 1 },
  ]);
});

it('writes one readable line per event on a terminal, without cursor movements', () => {
  const { lines, logger } = createLog('info', true);

  logger.log('warn', 'two\nlines \u001b[31m', { sessionId: 's', reason: 'it is "so"\n', missing: undefined });

  expect(lines).toEqual([
    String.raw`00:00:00.000 WARN  two\nlines \u{1b}[31m sessionId=s reason="it is \"so\"\n"` + '\n',
  ]);
});

it('repeats the context in every line', () => {
  const { lines, logger } = createLog('info');

  withFields(logger, { callId: '7', sessionId: undefined }).log('info', 'done', { count: 1 });

  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: '2026-01-01T00:00:00.000Z',
    level: 'info',
    message: 'done',
    count: 1,
    callId: '7',
  });
});
