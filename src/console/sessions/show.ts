import { jsonLine, oneLine } from '../../core/text/escape.js';
import { allTokens } from '../../core/session/usage.js';
import { dollars } from '../../core/text/dollars.js';
import { isoTime } from '../../core/text/iso-time.js';
import { count, shortFolder, span } from '../terminal/amounts.js';
import type { Paint } from '../terminal/paint.js';
import { pad, widthOf } from '../terminal/width.js';
import { wrapBeside } from '../terminal/wrap.js';
import { eventLine, paragraph, type EventLayout } from './event-line.js';
import type { DiskOnlySession, Owners, RecordedSession } from './kept-sessions.js';
import { idChars, statusColors } from './list.js';
import { nextSteps } from './next-steps.js';

export interface ShowLayout {
  /** How the person runs another command of this program. */
  readonly command: string;
  readonly paint: Paint;
  readonly home: string;
  readonly now: number;
  /** Undefined: lines are not broken. */
  readonly columns: number | undefined;
}

const shownEvents = 12;

/** Everything that a person wants to know before they answer, wait or resume. */
export function showRecorded(
  { record, serverPid, events }: RecordedSession,
  owners: Owners,
  layout: ShowLayout,
): string {
  const { paint, home, now } = layout;
  const columns = insideOf(layout);
  const { sessionId, status, options, lastResult, requests = [], queue = [] } = record;
  const isBusy = status === 'running' || status === 'waiting';
  const facts: (readonly [string, string] | false)[] = [
    ['Session', sessionId],
    ['Folder', shortFolder(oneLine(options.cwd, 300), home)],
    ['Status', statusText(status, serverPid, owners, paint)],
    ['Started', `${span(now - record.createdAt)} ago, last change ${span(now - record.updatedAt)} ago`],
    ['Cost', costText(record)],
    options.model !== undefined && ['Model', oneLine(options.model, 80)],
    queue.length > 0 && ['Queued', count(queue.length, 'prompt')],
  ];
  const title = options.title ?? record.firstPrompt ?? '(no prompt yet)';
  return sections([
    paint('bold', oneLine(title.trim(), 200)),
    factLines(facts, paint),
    section(
      'Open requests',
      requests.map(({ requestId, summary }) =>
        beside(`${oneLine(requestId, 60)}  `, oneLine(summary, 300), columns),
      ),
      paint,
    ),
    section('Last events', lastLines(events, { paint, columns, isShort: true }), paint),
    isBusy || lastResult?.result === undefined
      ? ''
      : section(
          lastResult.isError ? 'Why the last turn failed' : 'Result',
          [beside('', paragraph(lastResult.result), columns)],
          paint,
        ),
    stepLines(
      nextSteps({
        command: layout.command,
        shortId: sessionId.slice(0, idChars),
        isBusy,
        isWaiting: requests.length > 0,
        isResumable: options.persistSession,
      }),
      paint,
    ),
  ]);
}

/** A session of a terminal or another program. */
export function showOnDisk(
  sessionId: string,
  { title, firstPrompt, cwd, lastUsedAt, messages }: DiskOnlySession,
  { claudePid }: Owners,
  layout: ShowLayout,
): string {
  const { command, paint, home, now } = layout;
  const facts = [
    ['Session', sessionId],
    ['Folder', shortFolder(oneLine(cwd, 300), home)],
    ['Status', claudePid === undefined ? 'on disk' : `open in Claude Code (process ${claudePid})`],
    ['Last used', `${span(now - lastUsedAt)} ago`],
  ] as const;
  return sections([
    paint('bold', oneLine((title ?? firstPrompt ?? '(no prompt yet)').trim(), 200)),
    factLines(facts, paint),
    section(
      'Last messages',
      messages.map(({ role, text }) =>
        beside(role === 'user' ? '❯ ' : '• ', paragraph(text), insideOf(layout)),
      ),
      paint,
    ),
    stepLines(
      nextSteps({
        command,
        shortId: sessionId.slice(0, idChars),
        isBusy: claudePid !== undefined,
        isWaiting: false,
        isResumable: true,
      }).filter(([, line]) => line.includes(' resume ')),
      paint,
    ),
  ]);
}

/** The record without what only servers need. */
export function showJson({ record, serverPid, events }: RecordedSession): string {
  const { sessionId, claudeSessionId, status, outcome, createdAt, updatedAt, turn, totals } = record;
  const { options, firstPrompt, lastResult, requests = [], queue = [] } = record;
  return `${jsonLine({
    sessionId,
    claudeSessionId,
    status,
    outcome,
    title: options.title ?? firstPrompt,
    folder: options.cwd,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    turn,
    totals,
    result: lastResult,
    openRequests: requests,
    queuedPrompts: queue.length,
    serverPid,
    events: events.slice(-shownEvents),
  })}\n`;
}

export function showDiskJson(sessionId: string, session: DiskOnlySession, { claudePid }: Owners): string {
  const { title, firstPrompt, cwd, lastUsedAt, messages } = session;
  return `${jsonLine({
    sessionId,
    claudeSessionId: sessionId,
    status: claudePid === undefined ? 'on disk' : 'open',
    title: title ?? firstPrompt,
    folder: cwd,
    updatedAt: isoTime(lastUsedAt),
    pid: claudePid,
    messages,
  })}\n`;
}

/** Only ended turns have reported their cost. Until then, the most that a turn may cost counts against the budgets. */
function costText({
  totals,
  options,
  lastResult,
  openTurn,
  openCostUsd = 0,
}: RecordedSession['record']): string {
  const { costUsd, turns, tokens } = totals;
  const cutOffUsd = lastResult?.errorSubtype === 'server_restarted' ? lastResult.totalCostUsd : 0;
  const estimate =
    openTurn === undefined
      ? cutOffUsd > 0 && `of which ${dollars(cutOffUsd)} is an estimate for the turn that was cut off`
      : openCostUsd > 0 && `up to ${dollars(openCostUsd)} more for the running turn`;
  const parts = [
    `${dollars(costUsd)}${options.maxBudgetUsd === undefined ? '' : ` of ${dollars(options.maxBudgetUsd)}`}${turns === 0 ? '' : ` in ${count(turns, 'model turn')}`}`,
    tokens !== undefined && count(allTokens(tokens), 'token'),
    estimate,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

function statusText(
  status: RecordedSession['record']['status'],
  serverPid: number | undefined,
  { holderPid, claudePid }: Owners,
  paint: Paint,
): string {
  const word = paint(statusColors[status], status);
  if (serverPid !== undefined) return `${word} in the server with process id ${serverPid}`;
  if (claudePid !== undefined) return `${word}, open in Claude Code (process ${claudePid})`;
  return holderPid === undefined ? word : `${word}, ready in the server with process id ${holderPid}`;
}

function lastLines(events: RecordedSession['events'], layout: EventLayout): string[] {
  return events
    .flatMap((event) => {
      const line = eventLine(event, layout);
      return line === undefined ? [] : [line];
    })
    .slice(-shownEvents);
}

function factLines(facts: readonly (readonly [string, string] | false)[], paint: Paint): string {
  return facts
    .filter((fact) => fact !== false)
    .map(([name, value]) => `  ${paint('dim', pad(name, 9))}  ${value}`)
    .join('\n');
}

function stepLines(steps: readonly (readonly [string, string])[], paint: Paint): string {
  const width = Math.max(0, ...steps.map(([what]) => what.length));
  return section(
    'Next',
    steps.map(([what, line]) => `${pad(what, width)}  ${paint('cyan', line)}`),
    paint,
  );
}

/** The columns inside a section. */
function insideOf({ columns }: ShowLayout): number | undefined {
  return columns === undefined ? undefined : columns - sectionIndent.length;
}

/** A text whose further lines stand below its beginning, and not below the label. */
function beside(label: string, text: string, columns: number | undefined): string {
  const indent = widthOf(label);
  return `${label}${wrapBeside(text, indent, columns).join(`\n${' '.repeat(indent)}`)}`;
}

const sectionIndent = '  ';

/** Empty if there is nothing in it. */
function section(title: string, lines: readonly string[], paint: Paint): string {
  if (lines.length === 0) return '';
  const text = lines.join('\n').replaceAll('\n', `\n${sectionIndent}`);
  return `${paint('bold', title)}\n${sectionIndent}${text}`;
}

function sections(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
