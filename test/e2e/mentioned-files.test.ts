import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { mentionedFiles } from '../kit/mentioned-files.js';

it('docs/project-files.md contains every project file that Claude Code names', async () => {
  const page = readFileSync(new URL('../../docs/project-files.md', import.meta.url), 'utf8');
  const documented = new Set([...page.matchAll(/`([^`]+)`/g)].map(([, name]) => name));

  const mentioned = await mentionedFiles(findBundledClaude() ?? '');

  expect(mentioned).toContain('.claude/settings.json');
  expect(mentioned.filter((name) => !documented.has(name))).toEqual([]);
});
