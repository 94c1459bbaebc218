import { expect, it } from 'vitest';
import { confirmationFor } from '../../../src/console/trust/confirmation.js';
import { alsoNeededText, contentsText, trustedText } from '../../../src/console/trust/words.js';
import type { Paint } from '../../../src/console/terminal/paint.js';

const paint: Paint = (_color, text) => text;

it('names what would become active, and marks what runs programs', () => {
  const text = contentsText(
    '/home/me/app',
    [
      { path: 'CLAUDE.md', does: 'instructions for Claude', names: [], isActive: false },
      { path: '.claude/settings.json', does: 'settings', names: ['hook Stop', 'a\u001bb'], isActive: true },
      { path: '.claude/agents', does: 'agents', names: 'abcdefgh'.split(''), isActive: true },
    ],
    paint,
  );

  expect(text).toBe(`Sessions in /home/me/app would load:

    CLAUDE.md              instructions for Claude
  ! .claude/settings.json  settings: hook Stop, a\\u{1b}b
  ! .claude/agents         agents: a, b, c, d, e, f, g, h

! can run programs on this machine without asking.
Files that are added later will be active, too.
`);
  expect(contentsText('/a', [], paint)).toContain('Files that are added later will be active.');
  expect(alsoNeededText(['/b'])).toContain('MCP servers of /b, which is not trusted.');
});

it('lists trusted folders and roots', () => {
  const trusted = [
    { folder: '/home/me/app', exists: true },
    { folder: '/gone', exists: false },
  ];

  expect(trustedText(trusted, ['/srv'], { paint, home: '/home/me' })).toBe(
    '~/app\n/gone (does not exist)\n/srv and all folders below it (setting trustedRoots)\n',
  );
  expect(trustedText([], [], { paint, home: '/' })).toContain('claude-code-mcp trust <folder>');
});

it.each(['/', '/home'])('refuses to trust %s, which contains the home folder', (folder) => {
  expect(() => confirmationFor(folder, '/home/me')).toThrow('contains your home folder');
});

it('needs the name of the home folder, and a yes for a project', () => {
  expect(confirmationFor('/home/me', '/home/me')).toBe('name');
  expect(confirmationFor('/home/me/app', '/home/me')).toBe('yes');
});
