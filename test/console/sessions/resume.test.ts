import { expect, it } from 'vitest';
import { diskTakeoverOf, takeoverOf } from '../../../src/console/sessions/resume.js';
import { plainOptions } from '../../kit/records.js';
import { id, recordOf, running } from './session-samples.js';

const atRest = { record: recordOf(), serverPid: undefined };
const unowned = { holderPid: undefined, claudePid: undefined };

it.each([
  ['no process has open', unowned],
  ['rests in a server', { holderPid: 10, claudePid: undefined }],
])('takes over a session that %s', (_, owners) => {
  expect(takeoverOf(atRest, owners)).toEqual({ folder: '/home/me/app', claudeSessionId: id });
});

it.each([
  [
    'runs',
    running(),
    unowned,
    'is running in the server with process id 4711. Wait until its turn ends (claude-code-mcp watch 1b9d6bcd)',
  ],
  [
    'waits for an answer',
    running({ status: 'waiting' }),
    unowned,
    'is waiting for an answer in the server with process id 4711. Answer in your client or on the page (claude-code-mcp open)',
  ],
  [
    'is open in a terminal',
    atRest,
    { holderPid: undefined, claudePid: 30 },
    'Another Claude Code (process 30)',
  ],
  [
    'is open in a terminal beside a server',
    atRest,
    { holderPid: 10, claudePid: 30 },
    'Another Claude Code (process 30)',
  ],
  [
    'was not kept',
    { record: recordOf({ options: { ...plainOptions, persistSession: false } }), serverPid: undefined },
    unowned,
    'persistSession: false',
  ],
])('leaves alone a session that %s', (_, session, owners, message) => {
  expect(() => takeoverOf(session, owners)).toThrow(message);
});

it('takes over a session of Claude Code itself unless it is open', () => {
  expect(diskTakeoverOf(id, { cwd: '/a' }, unowned)).toEqual({ folder: '/a', claudeSessionId: id });
  expect(() => diskTakeoverOf(id, { cwd: '/a' }, { ...unowned, claudePid: 30 })).toThrow('(process 30)');
});
