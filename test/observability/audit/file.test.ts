import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAuditScene, lanesOf } from '../audit-scene.js';

const isWindows = process.platform === 'win32';
/** The files of the log, without its locks. */
const logs = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith('audit') && !name.endsWith('.locks'));

describe('an audit log', () => {
  it('writes a number, a time, the MAC of the previous line and its own MAC in each line', async () => {
    const scene = createAuditScene();

    const head = await scene.write(2);

    const [first, second] = scene.lines().map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({ seq: 1, time: '2026-01-01T00:00:00.000Z', prev: '0'.repeat(64), index: 0 });
    expect(second).toMatchObject({ seq: 2, prev: first?.['mac'], mac: head.mac });
    expect(scene.problems()).toEqual([undefined]);
  });

  it('verifies before its first line', async () => {
    const scene = createAuditScene();

    await scene.write(0);

    expect(scene.problems()).toEqual([undefined]);
  });

  it.skipIf(isWindows)('is readable by its owner only, and so is its key', async () => {
    const scene = createAuditScene();
    writeFileSync(scene.path, '', { mode: 0o644 });

    await scene.write(1);

    const modes = [scene.path, join(scene.stateDir, 'audit', 'key')].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600]);
  });

  it('continues its chain after a restart', async () => {
    const scene = createAuditScene();

    await scene.write(2);
    const head = await scene.write(3);

    expect(head.seq).toBe(5);
    expect(scene.problems()).toEqual([undefined]);
    expect(logs(scene.path)).toEqual(['audit.jsonl']);
  });

  it('continues in new files when one is full, in one chain', async () => {
    const scene = createAuditScene();

    await scene.write(10, { maxBytes: 600 });
    const head = await scene.write(2, { maxBytes: 600 });

    expect(head.seq).toBe(12);
    expect(logs(scene.path).length).toBeGreaterThan(3);
    expect(logs(scene.path)).toContain('audit.jsonl.000000000001');
    for (const name of logs(scene.path))
      expect(statSync(join(dirname(scene.path), name)).size).toBeLessThan(601);
    expect(scene.problems()).toEqual([undefined]);
  });

  it('has one file for each concurrent server', async () => {
    const scene = createAuditScene();
    const first = await scene.open();
    const second = await scene.open();

    for (const { file } of [first, second, first, second]) file.append({ what: 'test' });
    for (const { file, release } of [first, second]) {
      file.close();
      await release();
    }
    await scene.write(1);

    expect([first.path, second.path]).toEqual([scene.path, scene.path.replace('.jsonl', '.2.jsonl')]);
    expect(scene.lines()).toHaveLength(3);
    expect(scene.problems()).toEqual([undefined, undefined]);
  });

  it('is taken over from a server that has exited, and from no other', async () => {
    const scene = createAuditScene();
    await scene.open({ takeLane: lanesOf(scene.path, 1) });

    const opened = [await scene.open(), await scene.open({ takeLane: lanesOf(scene.path, 3) })];

    expect(opened.map(({ path }) => path)).toEqual([scene.path, scene.path.replace('.jsonl', '.2.jsonl')]);
  });

  it('loses nothing when the server exits before it stores the head', async () => {
    const scene = createAuditScene();
    await scene.write(1);
    const headFile = readdirSync(join(scene.stateDir, 'audit')).find((name) => name.endsWith('.head')) ?? '';
    const before = readFileSync(join(scene.stateDir, 'audit', headFile));
    await scene.write(3);
    writeFileSync(join(scene.stateDir, 'audit', headFile), before);

    const head = await scene.write(1);

    expect(head.seq).toBe(5);
    expect(scene.problems()).toEqual([undefined]);
  });

  it('removes the partial line that a crash leaves', async () => {
    const scene = createAuditScene();
    await scene.write(1);
    writeFileSync(scene.path, '{"seq":2,"ti', { flag: 'a' });

    await scene.write(1);

    expect(scene.problems()).toEqual([undefined]);
  });

  it('does not hide a truncation: the chain continues after the gap', async () => {
    const scene = createAuditScene();
    await scene.write(3);
    truncateSync(scene.path, Buffer.byteLength(scene.lines().slice(0, 2).join('\n')) + 1);

    const { file, release } = await scene.open();
    file.append({ what: 'after' });
    file.close();
    await release();

    expect(file.misfit).toBe('its last line is not the last line that the server wrote');
    expect(scene.problems()).toEqual([
      { file: scene.path, line: 3, what: 'line number 3 is missing before it' },
    ]);
  });

  it('does not start again when its file was deleted', async () => {
    const scene = createAuditScene();
    await scene.write(3);
    rmSync(scene.path);
    expect(scene.problems()).toEqual([
      { file: scene.path, line: 1, what: 'is where the log ends, but lines number 1 to 3 are missing' },
    ]);

    await scene.write(1);

    expect(scene.problems()).toEqual([
      { file: scene.path, line: 1, what: 'lines number 1 to 3 are missing before it' },
    ]);
  });

  it('accepts no line while its file is moved or deleted', async () => {
    const scene = createAuditScene();
    const { file, release } = await scene.open();
    file.append({ what: 'before' });
    const append = (): void => file.append({ what: 'after' });

    renameSync(scene.path, `${scene.path}.away`);
    expect(append).toThrow('it was moved or deleted');
    writeFileSync(scene.path, '', { mode: 0o600 });
    expect(append).toThrow('it was moved or deleted');
    renameSync(`${scene.path}.away`, scene.path);
    append();
    file.close();
    await release();

    expect(file.head.seq).toBe(2);
    expect(scene.problems()).toEqual([undefined]);
  });

  it('is not continued with a different key', async () => {
    const scene = createAuditScene();
    await scene.write(3);
    rmSync(scene.stateDir, { recursive: true });

    await expect(scene.open()).rejects.toThrow(/Restore CLAUDE_CODE_MCP_STATE_DIR/);

    expect(await lanesOf(scene.path, 3)(1)).toBeDefined();
  });

  it.skipIf(isWindows).each([
    ['a link', /symbolic link/, (path: string) => symlinkSync('/dev/null', path)],
    ['a folder', /EISDIR/, (path: string) => mkdirSync(path)],
    [
      'writable by others',
      /other users can write/,
      (path: string) => {
        writeFileSync(path, '');
        chmodSync(path, 0o620);
      },
    ],
  ])('is refused when it is %s', async (_, words, make) => {
    const scene = createAuditScene();
    make(scene.path);

    await expect(scene.open()).rejects.toThrow(words);
  });

  it.skipIf(isWindows)('is refused when its key or its head is a pipe', async () => {
    const scene = createAuditScene();
    await scene.write(1);
    const folder = join(scene.stateDir, 'audit');

    for (const name of readdirSync(folder)) {
      renameSync(join(folder, name), join(folder, 'away'));
      execFileSync('mkfifo', [join(folder, name)]);
      await expect(scene.open()).rejects.toThrow(
        `${join(folder, name)} is not a file that only its owner can change`,
      );
      renameSync(join(folder, 'away'), join(folder, name));
    }
    expect(scene.problems()).toEqual([undefined]);
  });

  it.skipIf(isWindows)('is checked without waiting for a pipe that replaced one of its files', async () => {
    const scene = createAuditScene();
    await scene.write(2);
    rmSync(scene.path);
    execFileSync('mkfifo', [scene.path]);

    expect(scene.problems()).toMatchObject([{ what: expect.stringMatching(/is where the log ends/) }]);
  });
});

describe('files that were moved away', () => {
  it('are reported as missing, unless the operator kept the head at which they ended', async () => {
    const scene = createAuditScene();
    await scene.write(4, { maxBytes: 400 });
    const head = await scene.write(0);
    await scene.write(4);
    const aside = logs(scene.path).filter((name) => name !== 'audit.jsonl');
    const moved = aside.toSorted().slice(0, 1);
    const kept = JSON.parse(
      readFileSync(join(dirname(scene.path), moved[0] ?? ''), 'utf8')
        .trim()
        .split('\n')
        .at(-1) ?? '',
    ) as { seq: number; mac: string };
    for (const name of moved)
      renameSync(join(dirname(scene.path), name), join(dirname(scene.path), `old-${name}`));

    expect(head.seq).toBe(4);
    expect(scene.problems()[0]?.what).toMatch(/missing before it/);
    expect(scene.problems(kept)).toEqual([undefined]);
    expect(scene.problems({ ...kept, mac: '1'.repeat(64) })[0]?.what).toMatch(/missing|does not match/);
  });

  it('cannot explain a head that is past the end', async () => {
    const scene = createAuditScene();
    const head = await scene.write(4);

    expect(scene.problems({ seq: head.seq + 2, mac: '1'.repeat(64) })).toEqual([
      { file: scene.path, line: 5, what: 'is where the log ends, but lines number 5 to 6 are missing' },
    ]);
    expect(scene.problems({ seq: 2, mac: '1'.repeat(64) })).toMatchObject([{ line: 2 }]);
  });
});

describe('a log of version 0.1.0', () => {
  const first = 'ec93595d6ed95016b7d7663caa89ea24c8643f3be7b71d199b856b21ccc8d372';
  const last = 'baf5d24422b970a695c5d2d38437a7a674824849f7f2b04168cbb0af884bc62b';
  const time = '2026-01-01T00:00:00.000Z';
  const lines = [
    `{"seq":1,"time":"${time}","prev":"${'0'.repeat(64)}","what":"bypass_switched","clientId":"stdio","isOn":true,"by":"person","mac":"${first}"}`,
    `{"seq":2,"time":"${time}","prev":"${first}","what":"entries_lost","count":2,"mac":"${last}"}`,
  ];

  function place(present: readonly string[]) {
    const scene = createAuditScene();
    const secrets = join(scene.stateDir, 'audit');
    const headName = createHash('sha256').update(scene.path).digest('hex').slice(0, 16);
    mkdirSync(secrets, { recursive: true });
    writeFileSync(join(secrets, 'key'), `${'0b'.repeat(32)}\n`, { mode: 0o600 });
    writeFileSync(join(secrets, `${headName}.head`), `0000000000000002:${last}\n`, { mode: 0o600 });
    writeFileSync(scene.path, present.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    return scene;
  }

  it('verifies, and a newer server continues it', async () => {
    const scene = place(lines);

    expect(scene.problems()).toEqual([undefined]);
    expect((await scene.write(1)).seq).toBe(3);
    expect(scene.problems()).toEqual([undefined]);
  });

  it('does not verify without its last line', () => {
    expect(place(lines.slice(0, 1)).problems()).toMatchObject([
      { line: 2, what: expect.stringContaining('line number 2 is missing') },
    ]);
  });
});
