import * as z from 'zod';
import { cutMiddle, oneLine } from '../../core/text/escape.js';
import { isoTime } from '../../core/text/iso-time.js';
import { shrinking } from '../../core/view.js';
import type { ListedSession, ListedView } from '../../sessions/session-list.js';
import { defineTool } from '../shared/define-tool.js';
import { runsIn } from '../shared/restart-fields.js';
import { sessionPage } from '../shared/session-page.js';
import { listOutput } from './output.js';
import { statusOf } from './status.js';

const defaultLimit = 50;

export const claudeListSessions = defineTool({
  name: 'claude_list_sessions',
  title: 'List sessions',
  description:
    'Lists the sessions of all projects, latest first, including terminal sessions. claude_send_message continues any of them.',
  effect: 'read',
  input: z.strictObject({
    projectDirectory: z
      .string()
      .min(1)
      .max(4_096)
      .optional()
      .describe('Only sessions that started in this folder'),
    limit: z.int().min(1).max(1_000).optional().describe('Default 50, or fewer if the answer is full'),
    offset: z.int().min(0).max(1_000_000).optional().describe('Number of latest sessions to skip'),
  }),
  output: listOutput,
  async handle(input, { sessions: { catalogue } }, { signal }) {
    const { projectDirectory, limit = defaultLimit, offset = 0 } = input;
    const request = { scope: catalogue.widestScope, projectDirectory, limit, offset };
    const page = await catalogue.list(request, signal);
    const goOn = (shown: number): string => ` (continue with offset ${offset + shown})`;
    return {
      view: shrinking((room) =>
        sessionPage(page, room, (entry, textChars) => listLine(entry, textChars), goOn),
      ),
    };
  },
});

function listLine(
  { sessionId, ours, disk, lastUsedAt }: ListedSession,
  textChars: number,
): Record<string, unknown> {
  const folder = ours?.folder ?? disk?.cwd ?? '';
  const isActive = ours !== undefined && hasProcess(ours);
  return {
    sessionId,
    projectDirectory: cutMiddle(folder, Math.max(80, textChars)),
    displayText: oneLine(nameOf(ours, disk), textChars),
    timestamp: isoTime(lastUsedAt),
    isActive,
    activeStatus: isActive ? statusOf(ours.state) : undefined,
    ...(ours && runsIn(ours)),
  };
}

function nameOf(ours: ListedSession['ours'], disk: ListedSession['disk']): string {
  return ours?.title ?? disk?.title ?? ours?.firstPrompt ?? disk?.firstPrompt ?? '';
}

/** Also true while the process starts. */
function hasProcess({ isLive, state }: ListedView): boolean {
  return isLive || state.status === 'running' || state.status === 'waiting';
}
