import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findBundledClaude } from '../../src/backends/agent-sdk/find-bundled-claude.js';
import { startBackstage } from '../kit/fixture.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the plugin for Claude Code', () => {
  it.each([
    ['the marketplace', ['--strict', '.']],
    ['the plugin', ['--strict', '--profile', 'directory', 'packaging/claude-code-plugin']],
  ])('passes the check of Claude Code for %s', async (_, args) => {
    const { sandbox } = await startBackstage();

    const report = execFileSync(findBundledClaude() ?? '', ['plugin', 'validate', '--json', ...args], {
      cwd: root,
      env: sandbox.env(),
      encoding: 'utf8',
    });

    expect(JSON.parse(report)).toMatchObject({ success: true, strict: true });
  });
});
