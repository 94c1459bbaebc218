import { expect, it } from 'vitest';
import { resumeCommand } from '../../src/page/wording/resume-command.js';

it.each([
  ['/home/ann/app', 'cd /home/ann/app && claude --resume id-1'],
  ['/home/ann/my app', "cd '/home/ann/my app' && claude --resume id-1"],
  ["/Volumes/Ann's $HOME/app", `cd '/Volumes/Ann'"'"'s $HOME/app' && claude --resume id-1`],
  ['/home/ann/a\nrm -r b', undefined],
  ['/home/ann/a\u001b]0;x', undefined],
])('resumes %j in a shell of POSIX', (folder, command) => {
  expect([resumeCommand(folder, 'id-1', 'linux'), resumeCommand(folder, 'id-1', 'darwin')]).toEqual([
    command,
    command,
  ]);
});

it.each([
  ['C:\\Users\\ann\\app', 'pushd "C:\\Users\\ann\\app" && claude --resume id-1'],
  ["d:\\Ann's files\\R&D (1)", `pushd "d:\\Ann's files\\R&D (1)" && claude --resume id-1`],
  ['C:\\', undefined],
  ['\\\\server\\share', undefined],
  ['C:\\100%PATH%', undefined],
  ['C:\\$(calc)', undefined],
  ['C:\\a`b', undefined],
  ['C:\\a“ ; calc', undefined],
  ['C:\\a" & calc', undefined],
  ['C:\\a\\', undefined],
  ['C:\\a\u200b', undefined],
])('resumes %j in each shell of Windows, if none of them acts on it', (folder, command) => {
  expect(resumeCommand(folder, 'id-1', 'win32')).toBe(command);
});

it('resumes nothing by an id that is more than a word', () => {
  expect(resumeCommand('/home/ann', 'id-1; ls')).toBeUndefined();
});
