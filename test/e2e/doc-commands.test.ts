/** The commands of the README, run as they are written. doc-commands-all.test.ts runs those of all pages. */
import { expect, it } from 'vitest';
import { failuresOf, quickIn } from '../docs/runs.js';
import { startDocumentation } from '../kit/documentation-scene.js';
import { hasTerminal } from '../kit/terminal-session.js';

it.skipIf(!hasTerminal)(
  'every quick command of the README works as it is written',
  { timeout: 90_000 },
  async () => {
    const run = await startDocumentation();
    const commands = quickIn(['README.md']);

    expect(await failuresOf(commands, run)).toEqual({});
    expect(commands.length).toBeGreaterThan(9);
  },
);
