import { expect, it } from 'vitest';
import type { EffectiveOptions } from '../../../src/core/options/index.js';
import { refuseUnjudged } from '../../../src/session/turn/turn-changes.js';

const options = { permissionMode: 'default' } as EffectiveOptions;
const now = { id: 's1', options, optionsAhead: options };

it('a prompt is refused if its session was cancelled while it was on its way', () => {
  const send = (status: 'idle' | 'cancelled') => () => refuseUnjudged({}, { ...now, state: { status } });

  expect(send('idle')).not.toThrow();
  expect(send('cancelled')).toThrow('was cancelled');
});
