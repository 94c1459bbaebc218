import { describe, expect, it } from 'vitest';
import { parseStat, patiently } from '../../src/platform/processes-linux.js';
import {
  parseMarkedPs,
  parsePs,
  possiblePids,
  posixProcesses,
  untilFound,
} from '../../src/platform/processes-posix.js';
import { survivorsOf } from '../../src/platform/processes.js';
import { parseCim, survivorsAmong } from '../../src/platform/processes-windows.js';

const onPosix = it.runIf(process.platform !== 'win32');
const stat = (name: string, state: string) =>
  `42 (${name}) ${state} 7 40 40 0 -1 4194304 1 0 0 0 4 1 0 0 20 0 9 0 68699 5838 474 18446744073709551615`;

it('parses a Linux record whose command name looks like fields', () => {
  expect(parseStat(stat('a) Z 1 (b', 'S'))).toEqual({ pid: 42, ppid: 7, pgid: 40, startTime: '68699' });
});

it.each([stat('sleep', 'Z'), stat('sleep', 'X'), '', '42 (cut'])(
  'ignores zombies and incomplete records: %j',
  (text) => {
    expect(parseStat(text)).toBeUndefined();
  },
);

it('parses ps lines without zombies', () => {
  const text = [
    '    1     0     1 Ss   Sun Nov 15 08:13:26 2026    ',
    '  312     1   312 S+   Thu Nov  5 08:13:26 2026',
    '  313   312   312 Z    Thu Nov  5 08:13:27 2026',
    '',
  ].join('\n');

  expect(parsePs(text)).toEqual([
    { pid: 1, ppid: 0, pgid: 1, startTime: 'Sun Nov 15 08:13:26 2026' },
    { pid: 312, ppid: 1, pgid: 312, startTime: 'Thu Nov  5 08:13:26 2026' },
  ]);
});

it('finds markers in the environment that ps prints after the command, as whole words only', () => {
  const text = [
    '  312     1   312 S+   Thu Nov  5 08:13:26 2026     claude -p K=9 PATH=/bin K=1.a HOME=/h',
    '  313   312   312 S    Thu Nov  5 08:13:27 2026     node K=1.ab',
    '  314   312   314 Ss   Thu Nov 15 08:13:27 2026     node K=2.b',
    '  315   312   312 Z    Thu Nov  5 08:13:27 2026     (node) K=1.a',
    '  316   312   316 Ss   Thu Nov  5 08:13:27 2026     /bin/sh',
    '',
  ].join('\n');

  expect(parseMarkedPs(text, new Set(['K=1.a', 'K=2.b']))).toEqual([
    { pid: 312, ppid: 1, pgid: 312, startTime: 'Thu Nov  5 08:13:26 2026', marker: 'K=1.a' },
    { pid: 314, ppid: 312, pgid: 314, startTime: 'Thu Nov 15 08:13:27 2026', marker: 'K=2.b' },
  ]);
});

describe('markers that ps shows', () => {
  const process = { pid: 7, ppid: 1, pgid: 7, startTime: 'Sun Nov 15 08:13:26 2026', marker: 'K=1.a' };

  it('are looked for again when one look has missed them', async () => {
    const looks = [[], [process], []];

    const found = await untilFound(new Set(['K=1.a']), async () => looks.shift() ?? []);

    expect(found).toEqual([process]);
    expect(looks).toHaveLength(1);
  });

  it('are looked for five times before one of them counts as gone', async () => {
    let count = 0;

    const found = await untilFound(new Set(['K=1.a', 'K=2.b']), async () => {
      count += 1;
      return [process];
    });

    expect(found).toEqual([process]);
    expect(count).toBe(5);
  });
});

describe('a system without free descriptors', () => {
  const shortage = Object.assign(new Error('too many open files'), { code: 'EMFILE' });

  it('is asked again', async () => {
    const answers = [shortage, shortage];

    const read = patiently(async () => {
      const answer = answers.shift();
      if (answer !== undefined) throw answer;
      return 'read';
    });

    expect(await read).toBe('read');
  });

  it('is reported when it stays so, because a process would be missed otherwise', async () => {
    await expect(patiently(() => Promise.reject(shortage), 1)).rejects.toBe(shortage);
  });
});

it('asks ps of macOS for no pid that would make it refuse the others', () => {
  const pids = [1, 99_999, 100_000, 2 ** 22 + 1];

  expect(possiblePids(pids, 'darwin')).toEqual([1, 99_999]);
  expect(possiblePids(pids, 'linux')).toEqual(pids);
});

it('reads the same start time whatever ps of macOS says about the state, even nothing', () => {
  const lineWith = (state: string): string => `  501     1   501 ${state} Thu Nov  5 08:13:26 2026    `;

  const found = ['S   ', ' s  ', ' s+ ', '    '].flatMap((state) => parsePs(lineWith(state)));

  expect(found).toEqual(
    Array.from({ length: 4 }, () => ({
      pid: 501,
      ppid: 1,
      pgid: 501,
      startTime: 'Thu Nov  5 08:13:26 2026',
    })),
  );
});

it('parses what ps of macOS prints: padded columns, hidden environments and control signs', () => {
  const text = [
    '    1     0     1 Ss   Sun Nov 15 08:13:26 2026     /sbin/launchd',
    '  501     1   501 S    Thu Nov  5 08:13:26 2026     /Applications/My App.app/Contents/MacOS/My App K=1.a A=two words',
    '  502   501   501 S    Thu Nov  5 08:13:26 2026     node -e first^Jsecond K=1.a',
    '  503   501   503 Ss   Thu Nov  5 08:13:26 2026     (zsh)',
    '  504   501   504 Z    Thu Nov  5 08:13:26 2026     <defunct>',
    '  505   501   505 ?Es  Thu Nov  5 08:13:26 2026     node K=1.a',
    '',
  ].join('\n');

  expect(parseMarkedPs(text, new Set(['K=1.a'])).map(({ pid, pgid }) => [pid, pgid])).toEqual([
    [501, 501],
    [502, 501],
    [505, 505],
  ]);
});

onPosix('lists and looks up this process with ps', async () => {
  const [self] = await posixProcesses.lookup([process.pid, 2 ** 22 + 1]);

  expect(self).toMatchObject({ pid: process.pid, ppid: process.ppid });
  expect(await posixProcesses.list()).toContainEqual(self);
});

onPosix('takes pids that ps does not know for an empty answer', async () => {
  expect(await posixProcesses.lookup([2 ** 22 + 1])).toEqual([]);
  expect(await posixProcesses.lookup([])).toEqual([]);
});

it('parses Windows lines, and ignores a parent that is younger than its child', () => {
  const text = '100 4 134000000000000000\r\n200 100 134000000000000009\r\n300 200 134000000000000001\r\n\r\n';

  expect(parseCim(text)).toEqual([
    { pid: 100, ppid: 4, pgid: 0, startTime: '134000000000000000' },
    { pid: 200, ppid: 100, pgid: 0, startTime: '134000000000000009' },
    { pid: 300, ppid: 0, pgid: 0, startTime: '134000000000000001' },
  ]);
});

describe('what a process on Windows has left', () => {
  const lines = [
    // Of an earlier process with the same pid.
    '90 42 134000000000000001',
    '100 42 134000000000000010',
    '200 100 134000000000000011',
    '300 4 134000000000000012',
  ];
  const gone = { pid: 42, startTime: '134000000000000005' };

  it('is its descendants, and not those of an earlier process with its pid', () => {
    const all = parseCim(lines.join('\r\n'));

    expect(survivorsAmong(all, gone).map(({ pid }) => pid)).toEqual([100, 200]);
  });

  it('is the same while it is alive', () => {
    const all = parseCim([...lines, '42 4 134000000000000005'].join('\r\n'));

    expect(survivorsAmong(all, gone).map(({ pid }) => pid)).toEqual([100, 200]);
  });

  it('is asked for on Windows only', () => {
    expect(survivorsOf !== undefined).toBe(process.platform === 'win32');
  });

  it('is unknown when another process has its pid, which may have started them', () => {
    const all = parseCim([...lines, '42 4 134000000000000009'].join('\r\n'));

    expect(survivorsAmong(all, gone)).toEqual([]);
  });
});
