import { parseSessionId } from '../core/ids.js';
import type { EffectiveOptions } from '../core/options/index.js';
import { quoteCode } from '../inputs/quote.js';
import type { SessionView } from '../session/session-view.js';
import type { SessionManager } from '../sessions/session-manager.js';
import type { CallInput } from './call-inputs.js';
import type { SessionDetails } from './contract.js';
import { resumeCommand } from './wording/resume-command.js';
import { rowOf } from './rows.js';
import { visible } from './wording/texts.js';

/** One session with what a person can do about it. */
export async function detailsOf(
  { sessionId }: CallInput<'session'>,
  sessions: SessionManager,
): Promise<SessionDetails> {
  const id = parseSessionId(sessionId);
  const known = await sessions.findIfKnown(id);
  const { view } = known ?? (await sessions.findToShow(id));
  const { model, permissionMode } = view.shownOptions;
  const row = rowOf(view);
  const command = resumeCommandOf(view);
  return {
    row: known === undefined ? { ...row, status: 'disk' } : row,
    mode: permissionMode,
    ...(model === undefined ? {} : { model: visible(model) }),
    turns: view.turnNumber,
    queued: view.queued.map(visible),
    notes: notesOn(view),
    ...(command === undefined ? {} : { resumeCommand: command }),
    head: known === undefined ? (await sessions.controls.transcripts.timeline(id)).total : view.log.head,
    may: rightsOn(view, known !== undefined || sessions.controls.mayAdopt(id), known !== undefined),
  };
}

function rightsOn(
  { state: { status }, elsewhere }: SessionView,
  mayContinue: boolean,
  isKnown: boolean,
): SessionDetails['may'] {
  const isHere = elsewhere === undefined && status !== 'cancelled';
  const isBusy = status === 'running' || status === 'waiting';
  return { reply: isHere && mayContinue, interrupt: isHere && isBusy, cancel: isHere && isKnown };
}

/** Only at rest: two processes must not write to one conversation. */
function resumeCommandOf({ state, options, claudeSessionId }: SessionView): string | undefined {
  const { status } = state;
  if (status === 'running' || status === 'waiting' || !options.persistSession) return undefined;
  return resumeCommand(options.cwd, claudeSessionId);
}

function notesOn(view: SessionView): readonly string[] {
  const { options, elsewhere, isUnread, unsaved, forgotten, lastResult, kept } = view;
  return [
    elsewhere !== undefined &&
      `Another server (process ${elsewhere}) runs this session. You can watch it here.`,
    isUnread &&
      'This server did not start this session and is not allowed to read it (CLAUDE_CODE_MCP_HISTORY).',
    unsaved !== undefined && `The last change is not on disk: ${visible(unsaved)}`,
    forgotten !== undefined && `${forgotten}.`,
    lastResult?.errorSubtype === 'server_restarted' &&
      view.state.status === 'error' &&
      'The last turn ended with its server. Send a prompt to continue.',
    kept.length > 0 && `Queued prompts that did not run: ${kept.length}.`,
    ...trustNotes(options),
  ].filter((note): note is string => typeof note === 'string');
}

/** Why the settings of the folder, or programs of the user, are missing. */
function trustNotes({
  projectSettings,
  skippedFiles = [],
  withheldServers = [],
  withheldPlugins = [],
}: EffectiveOptions): readonly (string | false)[] {
  const names = (list: readonly string[]): string => list.map((name) => quoteCode(name, 100)).join(', ');
  return [
    projectSettings === 'skipped' &&
      `The folder is not trusted, so these files are not loaded: ${names(skippedFiles)}. To trust it, run \`claude-code-mcp trust .\` in that folder.`,
    withheldServers.length > 0 &&
      `MCP servers that were not started, because the folder is not trusted: ${names(withheldServers.map(({ name }) => name))}.`,
    withheldPlugins.length > 0 &&
      `Plugins that were not loaded, because the folder is not trusted: ${names(withheldPlugins)}.`,
  ];
}
