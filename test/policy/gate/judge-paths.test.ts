import { describe, expect, it } from 'vitest';
import { judge } from './judging.js';

describe('a tool call', () => {
  it('with a path that could lead to any file needs approval, except in bypassPermissions', () => {
    const held = {
      ask: 'Where this path leads cannot be checked, because the system gives files other names there',
      isGrantable: true,
    };
    const path = '/proc/self/root/srv/a';

    expect(judge('Read', { file_path: path }, 'default')).toEqual(held);
    expect(judge('Bash', { command: `cat ${path}` }, 'default')).toEqual(held);
    expect(judge('Bash', { command: `cat ${path}` }, 'bypassPermissions')).toBe('pass');
    expect(judge('mcp__db__query', { file_path: path }, 'default')).toBe('pass');
    expect(judge('Write', { file_path: path }, 'bypassPermissions')).toEqual({
      ask: 'This file can make other tools start programs',
      isGrantable: false,
    });
  });
});
