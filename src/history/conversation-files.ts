import { join } from 'node:path';
import { asText, ownValue, parseJson } from '../core/json.js';
import { entriesIn } from '../files/folder-names.js';
import { openRegularFile, readOpened } from '../files/regular-file.js';

const maxAgentFiles = 200;
const maxMetaBytes = 64 * 1024;

/** The transcript, and those of its subagents. */
export async function conversationFiles(path: string): Promise<readonly string[]> {
  const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
  const entries = await entriesIn(folder).catch(() => []);
  const agents = entries.filter(({ name }) => /^agent-[\w-]+\.jsonl$/.test(name)).slice(0, maxAgentFiles);
  return [path, ...agents.map(({ name }) => join(folder, name))];
}

/** The kind of the subagent with this transcript, such as `Explore`. */
export async function agentKind(path: string): Promise<string> {
  const meta = await readOpened(openRegularFile(path.replace(/\.jsonl$/, '.meta.json')), maxMetaBytes);
  return asText(ownValue(parseJson(meta ?? ''), 'agentType')) ?? unknownAgent;
}

export const unknownAgent = 'subagent';
