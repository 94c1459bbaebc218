import { describe, expect, it } from 'vitest';
import { parseTrace, traceIdOf } from '../../src/core/trace.js';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a trace context', () => {
  it('is accepted unchanged', () => {
    const trace = parseTrace(traceparent, 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE');

    expect(trace).toEqual({ traceparent, tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE' });
    expect(trace && traceIdOf(trace)).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it.each([
    undefined,
    1,
    '',
    'x',
    `${traceparent} `,
    `${traceparent}\nX=1`,
    traceparent.toUpperCase(),
    traceparent.replace(/^00/, 'ff'),
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  ])('is ignored if its parent is %j', (parent) => {
    expect(parseTrace(parent, 'a=b')).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    7,
    'no value',
    'A=1',
    'a=b\n',
    'a=b,,c=d',
    'a=é',
    `a=${'b'.repeat(300)}`,
    `${'a=b,'.repeat(32)}a=b`,
    Array.from({ length: 130 }, () => 'a=b').join(),
  ])('drops an invalid state of %j', (state) => {
    expect(parseTrace(traceparent, state)).toEqual({ traceparent });
  });
});
