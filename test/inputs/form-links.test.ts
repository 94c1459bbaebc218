import { expect, it } from 'vitest';
import { toForm } from '../../src/inputs/form.js';
import { plainAsk } from '../kit/fake-backend.js';

function linesOf(leadsTo: readonly string[]): readonly string[] {
  const shown = { ...plainAsk, toolName: 'Write', input: { file_path: '/srv/app/notes.md' }, leadsTo };
  const request = { ...shown, shown, requestId: 'r1', sessionId: 's1', askedAt: 0, expiresAt: undefined };
  return toForm(request, { session: '1', folder: '/srv/app' }).message.split('\n').slice(2);
}

it('names the files to which links lead, before the input', () => {
  expect(linesOf(['/home/ann/.bashrc'])).toEqual([
    'Tool: Write',
    'Leads to: `/home/ann/.bashrc`',
    '> file_path: /srv/app/notes.md',
  ]);
});

it.each([
  [['/home/ann/.bashrc', '…'], 'Leads to: `/home/ann/.bashrc`. Perhaps also elsewhere: not all files could'],
  [['…'], 'Leads to: unknown: not all files could be checked for links'],
])('says so if not all links were looked at: %j', (paths, words) => {
  expect(linesOf(paths)[1]).toContain(words);
});

it('says how many more there are', () => {
  const paths = Array.from({ length: 22 }, (_, index) => `/${index}`);

  expect(linesOf(paths)[1]).toMatch(/^Leads to: `\/0`, `\/1`, .*, `\/19` and 2 more$/);
});
