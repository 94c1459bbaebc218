import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { refuseForeignResume } from '../../src/policy/foreign.js';
import { plainPolicy } from '../kit/policy.js';

describe('a session that someone else started', () => {
  it.each(['resume', 'read'] as const)('may be resumed with history "%s"', (history) => {
    expect(() => refuseForeignResume({ ...plainPolicy, history })).not.toThrow();
  });

  it.each([
    ['off', true, 'CLAUDE_CODE_MCP_HISTORY=resume'],
    ['off', false, 'CLAUDE_CODE_MCP_HISTORY=resume'],
    ['list', true, 'CLAUDE_CODE_MCP_HISTORY=resume'],
    ['resume', false, 'CLAUDE_CODE_MCP_ALLOW_DISK_RESUME=1'],
    ['read', false, 'CLAUDE_CODE_MCP_ALLOW_DISK_RESUME=1'],
  ] as const)('is refused with history "%s" and disk resume %s', (history, allowDiskResume, setting) => {
    expect(() => refuseForeignResume({ ...plainPolicy, history, allowDiskResume })).toThrow(
      new AppError('foreign_resume_refused', { setting }),
    );
  });
});
