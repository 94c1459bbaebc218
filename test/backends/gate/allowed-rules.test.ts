import { expect, it } from 'vitest';
import { allowedRules } from '../../../src/backends/gate/allowed-rules.js';
import { launchWith } from '../launch.js';

const none = { ask: [], deny: [] };

it('are those of the caller, of approvals and of the project, each once', () => {
  const launch = launchWith(
    { allowedTools: ['Read'], permissionRules: { ...none, allow: ['Bash(ls)', 'Read', 'Edit(/w.txt)'] } },
    { grantedRules: ['Bash(ls)', 'Bash(npm test)'] },
  );

  expect(allowedRules(launch)).toEqual(['Read', 'Bash(ls)', 'Bash(npm test)', 'Edit(/w.txt)']);
});

it('leave out a rule of the project that Claude Code would take for several', () => {
  const allow = ['Bash(echo (a))', 'Read,Bash', 'Bash(npm test)'];

  expect(allowedRules(launchWith({ permissionRules: { ...none, allow } }))).toEqual(['Bash(npm test)']);
});

it.each([
  ['linux', 120_000],
  ['win32', 12_000],
] as const)('fit into one argument on %s: the oldest approvals are left out', (platform, most) => {
  const rules = (letter: string): string[] =>
    Array.from({ length: 300 }, (_, index) => `Bash(echo ${index} ${letter.repeat(280)})`);
  const [granted, ofProject] = [rules('ü'), rules('pp')];
  const launch = launchWith(
    { allowedTools: ['Read'], skills: ['birds'], permissionRules: { ...none, allow: ofProject } },
    { grantedRules: granted },
  );

  const allowed = allowedRules(launch, platform);

  expect(Buffer.byteLength(allowed.join(','))).toBeLessThan(most);
  expect(allowed[0]).toBe('Read');
  expect(allowed.slice(1)).toEqual(granted.slice(301 - allowed.length));
});
