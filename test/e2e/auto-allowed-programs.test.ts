import { expect, it } from 'vitest';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import {
  askedPrograms,
  autoAllowedPrograms,
  autoAllowedSubcommands,
  editingPrograms,
  exactCalls,
} from '../../src/policy/gate/auto-allowed-names.js';
import { powershellReaders } from '../../src/policy/gate/powershell.js';
import { autoAllowedProgramsIn } from '../kit/auto-allowed-programs.js';

it('the gate knows every program that Claude Code may run without asking', async () => {
  const known = new Set([...autoAllowedPrograms, ...autoAllowedSubcommands, ...editingPrograms]);
  const exact = new Set(exactCalls.map((call) => call.split(' ', 1)[0]));
  const isKnown = (name: string): boolean =>
    known.has(name) || exact.has(name) || askedPrograms.includes(name.split(' ', 1)[0] ?? '');

  const found = await autoAllowedProgramsIn(findBundledClaude() ?? '');

  // Each of these stands for one of the tables.
  expect(found.bash).toEqual(
    expect.arrayContaining(['xargs', 'man', 'ps', 'git blame', 'cal', 'pr', 'uniq']),
  );
  expect(found.bash.filter((name) => !isKnown(name))).toEqual([]);
  expect(found.powershell).toContain('get-content');
  expect(found.powershell.filter((name) => !powershellReaders.includes(name))).toEqual([]);
  expect(found.edits).toEqual(editingPrograms.toSorted());
});
