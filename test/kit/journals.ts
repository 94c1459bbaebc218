import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fold, nothing, type Folded } from '../../src/state/journal/fold.js';
import { parseLine } from '../../src/state/journal/line.js';
import type { Sandbox } from './sandbox.js';

type Place = { readonly sandbox: Pick<Sandbox, 'stateDir'> };

/** What the journal of a session says at this moment. */
export function journalOf({ sandbox }: Place, sessionId: string): Folded {
  return foldFile(join(sandbox.stateDir, 'sessions', `${sessionId}.jsonl`));
}

/** What every turn has cost, over all journals. */
export function costsOnDisk({ sandbox }: Place): Folded['spent'] {
  const folder = join(sandbox.stateDir, 'sessions');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.flatMap((name) => foldFile(join(folder, name)).spent).toSorted((a, b) => a.at - b.at);
}

function foldFile(path: string): Folded {
  if (!existsSync(path)) return nothing;
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => parseLine(text) ?? []);
  return fold(nothing, lines);
}
