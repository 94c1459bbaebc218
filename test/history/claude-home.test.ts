import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveClaudeHome } from '../../src/history/claude-home.js';

const home = join('/', 'home', 'ada');

it('puts the state file next to the default directory', () => {
  expect(resolveClaudeHome({ home })).toEqual({
    home,
    configDir: join(home, '.claude'),
    projectsDir: join(home, '.claude', 'projects'),
    sessionsDir: join(home, '.claude', 'sessions'),
    historyFile: join(home, '.claude', 'history.jsonl'),
    stateFile: join(home, '.claude.json'),
    settingsFile: join(home, '.claude', 'settings.json'),
    managedDir: expect.stringMatching(/claude-?code$/i),
  });
});

it('puts the state file inside a configured directory', () => {
  const configDir = join('/', 'srv', 'claude');

  expect(resolveClaudeHome({ home, configDir })).toEqual({
    home,
    configDir,
    projectsDir: join(configDir, 'projects'),
    sessionsDir: join(configDir, 'sessions'),
    historyFile: join(configDir, 'history.jsonl'),
    stateFile: join(configDir, '.claude.json'),
    settingsFile: join(configDir, 'settings.json'),
    managedDir: expect.stringMatching(/claude-?code$/i),
  });
});

it('treats an empty directory as not configured', () => {
  expect(resolveClaudeHome({ home, configDir: '' })).toEqual(resolveClaudeHome({ home }));
});
