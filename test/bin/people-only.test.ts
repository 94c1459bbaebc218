import { expect, it } from 'vitest';
import { refuseInSession } from '../../src/bin/people-only.js';
import { commandNames, commands, type Command } from '../../src/config/commands.js';

const inSession = { CLAUDE_CODE_MCP_DEPTH: '1' };

/** They show, check or serve something, and give no power over sessions. */
const forAll: readonly string[] = [
  'audit verify',
  'completion',
  'config',
  'doctor',
  'serve',
  'sessions',
  'show',
  'watch',
];

it.each(commandNames.filter((name) => !forAll.includes(name)))('%s is for people only', async (command) => {
  await expect(refuseInSession(command, inSession)).rejects.toThrow(
    `${command}: cannot be used inside a session. Run it in a terminal of your own.`,
  );
});

it('refuses nothing else', async () => {
  const others = commandNames.filter((name) => (commands[name] as Command).isForPeople !== true);

  await Promise.all(others.map((command) => refuseInSession(command, inSession)));

  expect(others.toSorted()).toEqual(forAll);
});
