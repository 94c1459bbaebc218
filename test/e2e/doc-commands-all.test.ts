/** The commands of all pages, run as they are written. */
import { expect, it } from 'vitest';
import { failuresOf, quickIn, slow } from '../docs/runs.js';
import { startDocumentation } from '../kit/documentation-scene.js';
import { hasTerminal } from '../kit/terminal-session.js';

it.skipIf(!hasTerminal)(
  'every command of the documentation works as it is written',
  { timeout: 240_000 },
  async () => {
    const run = await startDocumentation();
    const commands = [...slow, ...quickIn(undefined)];

    expect(await failuresOf(commands, run)).toEqual({});
    expect(commands.length).toBeGreaterThan(55);
  },
);
