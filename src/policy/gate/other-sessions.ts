import { tmpdir } from 'node:os';
import { sep } from 'node:path';
import { isInside } from '../../core/paths.js';
import type { JudgedCall, Target } from './call.js';
import { isReading } from './file-rules.js';
import { couldBe, isPattern } from './patterns.js';
import { wordList } from './word-list.js';

export interface RecordFacts {
  /** Where Claude Code stores its transcripts, plans, memory and settings. */
  readonly claudeDir: string;
  /** Claude Code's id of the session. */
  readonly ownSession?: string | undefined;
  /** Whether it may read the records of others without approval. */
  readonly mayReadOthers?: boolean | undefined;
  /** The folders of the session. */
  readonly ownFolders?: readonly string[] | undefined;
}

/**
 * Why reading needs approval although Claude Code would not ask: it lets a session read the transcripts and tool results
 * of all sessions in the same folder, those of the user's terminal included.
 */
export function otherSessionReason(
  { toolName, input, permissionMode, targets, command }: JudgedCall,
  { claudeDir, ownSession, mayReadOthers = false, ownFolders = [] }: RecordFacts,
): string | undefined {
  if (ownSession === undefined || mayReadOthers || permissionMode === 'bypassPermissions') return undefined;
  const isSearch = isReading(toolName);
  if (!isSearch && typeof input['command'] !== 'string') return undefined;
  const named = [...targets, ...(command?.matches ?? [])];
  // Every command names the folder in which it starts.
  const foreign = isSearch ? named : named.filter(({ real }) => !ownFolders.includes(real));
  // Users move these folders, and leave links in their places.
  const paths = foreign.flatMap((target) => [target.named, target.real]);
  const reaches = (path: string): boolean => {
    const names = namesIn(path);
    const inClaudeDir = namesBelow(names, namesIn(claudeDir));
    // Claude Code asks before most commands that read outside the folders; words such as `/` are no paths.
    if (inClaudeDir === 'around' || aroundTasks.has(path)) return isSearch;
    return (
      isOfTask(path, ownSession, ownFolders) || (inClaudeDir !== 'apart' && isRecord(inClaudeDir, ownSession))
    );
  };
  return paths.some(reaches) ? 'This reads what Claude Code stored about other sessions' : undefined;
}

/** Whether Claude Code stores this about the session itself. */
export function isOwnRecord({ real }: Target, { claudeDir, ownSession }: RecordFacts): boolean {
  if (ownSession === undefined || isPattern(real)) return false;
  if (isInside(real, claudeDir)) {
    const [kind, , name] = placeIn(real, claudeDir);
    return kind === 'projects' && isOwn(name, ownSession);
  }
  const found = temporary.exec(real);
  return found !== null && temporaryFolders.has(real.slice(0, found.index)) && isOwn(found[2], ownSession);
}

/** Whether this is a plan or the memory of a project. Which ones belong to the session, only Claude Code knows. */
export function isOfProject({ real }: Target, { claudeDir }: RecordFacts): boolean {
  if (isPattern(real) || !isInside(real, claudeDir)) return false;
  const [kind, , name] = placeIn(real, claudeDir);
  return kind === 'plans' || (kind === 'projects' && name === 'memory');
}

function placeIn(real: string, claudeDir: string): readonly string[] {
  return namesIn(real).slice(namesIn(claudeDir).length);
}

/** What Claude Code stores about sessions: what was said, pasted, attached or edited in them, and their tasks. */
const stores =
  wordList(`projects file-history history.jsonl paste-cache image-cache uploads todos tasks teams jobs
  sessions session-env debug dump-prompts traces feedback feedback-bundles usage-data`);

/** Whether a path in the folder of Claude Code is, or contains, what it stores about another session. */
function isRecord([kind, first, second]: readonly string[], own: string): boolean {
  if (kind === undefined) return true;
  if (!stores.some((name) => couldBe(kind, name))) return false;
  // The memory belongs to the folder, not to a session.
  if (kind === 'projects') return second !== 'memory' && !isOwn(second, own);
  // The sessions of a team share its messages.
  return kind === 'teams' || !isOwn(first, own);
}

/** `<session>`, `<session>.jsonl`, `<session>-agent-<session>.json` */
function isOwn(name: string | undefined, own: string): boolean {
  return name !== undefined && (name === own || name.startsWith(`${own}.`) || name.startsWith(`${own}-`));
}

const aroundTasks: ReadonlySet<string> = new Set(['/tmp', '/private', '/private/tmp']);

/** Output of background tasks, and notes: `/tmp/claude-1000/-home-ann-app/<session>/…`. */
function isOfTask(path: string, own: string, ownFolders: readonly string[]): boolean {
  const found = temporary.exec(path);
  if (found === null) return temporaryRoot.test(path);
  const [, folder = '', session = ''] = found;
  if (session === own) return false;
  if (isMunged(folder) || uuid.test(session)) return true;
  // A project can have such a name, too: `claude-4/*.md`.
  const isUsual = temporaryFolders.has(path.slice(0, found.index));
  return isPattern(folder) && (isUsual || !ownFolders.some((one) => isInside(path, one)));
}

/** A variable of Claude Code can name another one. */
const temporaryFolders: ReadonlySet<string> = new Set(['/tmp', '/private/tmp', tmpdir()]);
const temporary = /[\\/]claude-[\d*?[\]{}]+[\\/]([^\\/]+)(?:[\\/]([^\\/]+))?/;
const temporaryRoot = /^(?:\/private)?\/tmp\/claude-[\d*?[\]{}]+$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Commands in a sandbox keep files of their own beside these folders, which are named after a path. */
function isMunged(folder: string): boolean {
  return /^(?:-|[a-z]--)/i.test(folder);
}

function namesIn(path: string): readonly string[] {
  const names = path.split(/[\\/]/).filter((name) => name !== '');
  return sep === '\\' ? names.map((name) => name.toLowerCase()) : names;
}

/** The rest of a path below a folder; or whether it leads around the folder, or elsewhere. */
function namesBelow(
  names: readonly string[],
  folder: readonly string[],
): readonly string[] | 'around' | 'apart' {
  for (const [index, name] of folder.entries()) {
    const found = names[index];
    if (found === undefined || found.includes('**')) return 'around';
    if (!couldBe(found, name)) return 'apart';
  }
  return names.slice(folder.length);
}
