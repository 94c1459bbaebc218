import { expect, it } from 'vitest';
import type { SessionId } from '../../../src/core/ids.js';
import { RecordIndex, type RecordIndexSettings } from '../../../src/sessions/records/record-index.js';
import type { RecordFile } from '../../../src/state/record-store.js';
import { plainOptions, plainRecord } from '../../kit/records.js';
import { blindRedactor } from '../../kit/redactors.js';

/** An index of records with prompts of this many MiB, which lists describe again and again, and the ids that it has read. */
function indexed(mebibytes: number) {
  const read: string[] = [];
  const files: RecordFile[] = [];
  const records = {
    files: async () => files,
    load: async (sessionId: SessionId) => {
      read.push(sessionId);
      return plainRecord(sessionId, {
        options: { ...plainOptions, systemPrompt: 'x'.repeat(mebibytes * 2 ** 20) },
      });
    },
  };
  const servers = { own: async () => 'this one', isAlive: async () => false };
  const settings = { records, servers, redactor: blindRedactor } as unknown as RecordIndexSettings;
  const index = new RecordIndex(settings);
  const list = async (...ids: string[]): Promise<readonly string[]> => {
    files.splice(0, files.length, ...ids.map(fileOf));
    for (const file of await index.find()) await index.describe(file);
    return read.splice(0);
  };
  return { list };
}

function fileOf(sessionId: string): RecordFile {
  return { sessionId: sessionId as SessionId, modifiedAt: 1, bytes: 60 * 2 ** 20 };
}

it('a record is read once, although its file is long', async () => {
  const { list } = indexed(1);

  expect(await list('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
  expect(await list('a', 'b', 'c')).toEqual([]);
});

it('of records with very long options, as many stay in memory as have room, in the place of those that are gone', async () => {
  const { list } = indexed(30);
  await list('a', 'b', 'c');

  expect(await list('a', 'b', 'c')).toEqual(['c']);
  expect(await list('b', 'c', 'd')).toEqual(['c', 'd']);
  expect(await list('b', 'c', 'd')).toEqual(['d']);
});
