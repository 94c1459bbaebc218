import { expect, it } from 'vitest';
import { readDefaultMode } from '../../src/history/settings/user-settings.js';
import { put, tempHome } from './support/temp-home.js';

it("reads the user's default permission mode", async () => {
  const { claudeHome } = tempHome();
  await put(claudeHome.settingsFile, '{"permissions":{"defaultMode":"acceptEdits"}}');

  expect(await readDefaultMode(claudeHome)).toBe('acceptEdits');
});

it.each([
  '',
  'null',
  '[]',
  '{"permissions":null}',
  '{"permissions":{"defaultMode":7}}',
  '{"permissions":{"def',
])('finds no mode in %j', async (content) => {
  const { claudeHome } = tempHome();
  await put(claudeHome.settingsFile, content);

  expect(await readDefaultMode(claudeHome)).toBeUndefined();
});

it('finds no mode without a settings file', async () => {
  const { claudeHome } = tempHome();

  expect(await readDefaultMode(claudeHome)).toBeUndefined();
});
