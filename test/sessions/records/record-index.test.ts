import { expect, it } from 'vitest';
import type { SessionId } from '../../../src/core/ids.js';
import { RecordIndex, type RecordIndexSettings } from '../../../src/sessions/records/record-index.js';
import { plainRecord } from '../../kit/records.js';
import { blindRedactor } from '../../kit/redactors.js';

/** An index of records that lists describe again and again, and the ids of those that it has read. */
function indexed() {
  const read: string[] = [];
  const records = {
    load: async (sessionId: SessionId) => {
      read.push(sessionId);
      return plainRecord(sessionId);
    },
  };
  const servers = { own: async () => 'this one', isAlive: async () => false };
  const settings = { records, servers, redactor: blindRedactor } as unknown as RecordIndexSettings;
  return { index: new RecordIndex(settings), read };
}

function fileOf(sessionId: string, mebibytes: number) {
  return { sessionId: sessionId as SessionId, modifiedAt: 1, bytes: mebibytes * 2 ** 20 };
}

it.each([
  ['a short record is read once', 1, ['a', 'b']],
  ['of very long ones only the last stay in memory', 40, ['a', 'b', 'a']],
])('%s', async (_what, mebibytes, expected) => {
  const { index, read } = indexed();

  for (const id of ['a', 'b', 'b', 'a']) await index.describe(fileOf(id, mebibytes));

  expect(read).toEqual(expected);
});
