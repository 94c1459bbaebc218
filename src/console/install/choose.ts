import { stateOf } from '../clients/state.js';
import { clientIds, clients, type ClientId } from '../clients/table.js';
import { escapeHidden } from '../../core/text/escape.js';
import { guessLimit, nearest } from '../../core/text/nearest.js';
import { ConfigError } from '../../config/config-error.js';
import { shortFolder } from '../terminal/amounts.js';
import type { Paint } from '../terminal/paint.js';

/** The clients that a person names. Throws a ConfigError for an unknown name. */
export function namedClients(words: readonly string[]): readonly ClientId[] {
  return [...new Set(words.map(clientNamed))];
}

function clientNamed(word: string): ClientId {
  const plain = word.toLowerCase();
  const id = clientIds.find((known) => known === plain || aliases[known]?.includes(plain) === true);
  if (id !== undefined) return id;
  const meant = nearest(plain, clientIds, guessLimit(plain));
  throw new ConfigError(
    `${word} is not a known client${meant === undefined ? '.' : `: did you mean ${meant}?`} Known: ${clientIds.join(', ')}. For any other client: claude-code-mcp install --print`,
  );
}

const aliases: Readonly<Partial<Record<ClientId, readonly string[]>>> = {
  'claude-code': ['claude'],
  'claude-desktop': ['desktop'],
  vscode: ['vs-code', 'code', 'copilot'],
  gemini: ['gemini-cli'],
};

export interface Candidate {
  readonly id: ClientId;
  readonly file: string;
  /** The text of its file. Undefined if there is none, or if it must not be changed. */
  readonly text: string | undefined;
  readonly isRefused?: boolean;
}

export interface MenuLayout {
  readonly paint: Paint;
  readonly home: string;
}

/** A numbered list, for a person to choose from. */
export function menuText(candidates: readonly Candidate[], { paint, home }: MenuLayout): string {
  const width = Math.max(...candidates.map(({ id }) => clients[id].title.length));
  const lines = candidates.map((candidate, index) => {
    const { id, file } = candidate;
    const place = String(index + 1).padStart(2);
    return `  ${place}  ${clients[id].title.padEnd(width)}  ${stateText(candidate, paint)}  ${paint('dim', shortFolder(escapeHidden(file), home))}\n`;
  });
  return `Clients on this machine:\n${lines.join('')}`;
}

function stateText({ id, text, isRefused = false }: Candidate, paint: Paint): string {
  const width = 'not configured'.length;
  if (isRefused) return paint('yellow', 'not editable'.padEnd(width));
  switch (stateOf(clients[id], text).kind) {
    case 'configured':
      return paint('green', 'configured'.padEnd(width));
    case 'absent':
      return 'not configured';
    case 'broken':
      return paint('red', 'broken file'.padEnd(width));
  }
}

/** What a person answers to the list: numbers, names or `all`. */
export function chosen(answer: string, candidates: readonly Candidate[]): readonly ClientId[] {
  const words = answer.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 1 && words[0]?.toLowerCase() === 'all') return candidates.map(({ id }) => id);
  return namedClients(words.map((word) => candidates[Number(word) - 1]?.id ?? word));
}
