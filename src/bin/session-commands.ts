/** The commands that show sessions in a terminal, or take them over. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { locateClaude } from '../app/located-claude.js';
import { composeKeptSessions } from '../app/state/kept-sessions.js';
import type { Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { ownVariables, stateDirOf, type Settings } from '../config/settings.js';
import { findSession } from '../console/sessions/find-session.js';
import type { DiskOnlySession, KeptSessions, RecordedSession } from '../console/sessions/kept-sessions.js';
import { idChars, listIds, listJson, listText } from '../console/sessions/list.js';
import { diskTakeoverOf, goneFolder, takeoverOf, type Takeover } from '../console/sessions/resume.js';
import { showDiskJson, showJson, showOnDisk, showRecorded } from '../console/sessions/show.js';
import { watchSession } from '../console/sessions/watch.js';
import { CommandFailure } from '../console/terminal/failure.js';
import { LiveLine } from '../console/terminal/live-line.js';
import { paintFor } from '../console/terminal/paint.js';
import { systemClock } from '../core/clock.js';
import { AppError, messageOf } from '../core/errors.js';
import type { SessionId } from '../core/ids.js';
import { realPath } from '../files/real-path.js';
import { resolveClaudeHome } from '../history/claude-home.js';
import { createRedactor } from '../observability/redact/redact.js';
import { handOver } from '../platform/hand-over.js';
import { childEnvironment } from '../policy/child-environment.js';
import { watchFolder } from '../state/folder-watch.js';
import { movingColumnsOf } from './fitted.js';
import { settingsFor } from './program.js';
import { typedCommand } from './typed.js';

const defaultLimit = 20;
/** Undefined without a terminal. Some terminals do not report their width. */
const terminalColumns = process.stdout.isTTY ? (): number => process.stdout.columns || 80 : undefined;
/** A busy session writes many events a second. */
const leastPauseMs = 200;
/** Servers write events 200 ms late. */
const eventDelayMs = 400;

export async function sessions(args: Arguments): Promise<string> {
  const { kept } = await open(args);
  const page = await kept.list(args.operand, limitOf(args.own.limit));
  if (args.json) return listJson(page);
  if (args.own.ids === '1') return listIds(page);
  return listText(page, { ...layout(), wanted: args.operand });
}

export async function show(args: Arguments): Promise<string> {
  const { kept } = await open(args);
  const { id, recorded, onDisk } = await find(kept, args);
  const owners = await kept.owners(recorded?.record.claudeSessionId ?? id);
  if (recorded !== undefined)
    return args.json ? showJson(recorded) : showRecorded(recorded, owners, layout());
  return args.json ? showDiskJson(id, onDisk, owners) : showOnDisk(id, onDisk, owners, layout());
}

export async function watch(args: Arguments): Promise<string> {
  const { kept, stateDir } = await open(args);
  const { id, recorded } = await find(kept, args);
  if (recorded === undefined)
    throw new CommandFailure(
      `This session was not started by this server, so it has no events to watch. To read its last messages, run: claude-code-mcp show ${id.slice(0, idChars)}`,
    );
  const { stdout } = process;
  const line = new LiveLine({
    write: (text) => void stdout.write(text),
    clock: systemClock,
    columns: movingColumnsOf(stdout, process.env),
  });
  process.once('SIGINT', () => {
    line.end();
    process.exit(130);
  });
  const { changed, stop } = changesIn(stateDir);
  try {
    const isGood = await watchSession(
      { read: () => kept.recorded(id), changed, written: () => pause(eventDelayMs) },
      {
        command: typedCommand(),
        line,
        paint: paintFor(stdout, process.env),
        columns: () => terminalColumns?.(),
      },
    );
    if (!isGood) process.exitCode = 1;
    return '';
  } finally {
    stop();
    line.end();
  }
}

export async function resume(args: Arguments): Promise<string> {
  const { kept, settings } = await open(args);
  const takeover = await takeoverFor(kept, args);
  const { folder, claudeSessionId } = takeover;
  if ((await realPath(folder)) === undefined) throw goneFolder(folder);
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandFailure(
      `resume needs a terminal. In a terminal, run: claude-code-mcp resume ${args.operand ?? ''}`,
    );
  const file = claudeFor(settings, folder);
  process.exitCode = await handOver({
    file,
    args: ['--resume', claudeSessionId],
    cwd: folder,
    env: childEnvironment(process.env, { ownVariables, cwd: process.cwd() }),
  }).catch((error: unknown) => {
    throw new CommandFailure(`${file} could not be started: ${messageOf(error)}`);
  });
  return '';
}

async function takeoverFor(kept: KeptSessions, args: Arguments): Promise<Takeover> {
  const { id, recorded, onDisk } = await find(kept, args);
  const owners = await kept.owners(recorded?.record.claudeSessionId ?? id);
  return recorded === undefined ? diskTakeoverOf(id, onDisk, owners) : takeoverOf(recorded, owners);
}

/** The Claude Code that the server would start. */
function claudeFor(settings: Settings, folder: string): string {
  const claude = locateClaude(settings, { environment: process.env, home: homedir(), notIn: [folder] });
  if (claude !== undefined) return claude.path;
  throw new CommandFailure('Claude Code was not found. Run claude-code-mcp doctor to find out why.');
}

interface Opened {
  readonly kept: KeptSessions;
  readonly stateDir: string;
  readonly settings: Settings;
}

async function open(args: Arguments): Promise<Opened> {
  const { settings } = await settingsFor(args);
  const home = homedir();
  const stateDir = stateDirOf(settings, process.env, home);
  const claudeHome = resolveClaudeHome({ home, configDir: process.env['CLAUDE_CONFIG_DIR'] });
  try {
    const kept = composeKeptSessions({ stateDir, claudeHome, redactor: createRedactor(process.env) });
    return { kept, stateDir, settings };
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(error.message) : error;
  }
}

type Found = { readonly id: SessionId } & (
  | { readonly recorded: RecordedSession; readonly onDisk: undefined }
  | { readonly recorded: undefined; readonly onDisk: DiskOnlySession }
);

async function find(kept: KeptSessions, { operand = '' }: Arguments): Promise<Found> {
  const id = await findSession(operand, (prefix) => kept.idsLike(prefix));
  const recorded = await kept.recorded(id);
  if (recorded !== undefined) return { id, recorded, onDisk: undefined };
  const onDisk = await kept.onDisk(id);
  if (onDisk !== undefined) return { id, recorded: undefined, onDisk };
  throw new CommandFailure(`The files of session ${id} are empty, damaged or cannot be read.`);
}

/** Resolves soon after a server has written about any session. */
function changesIn(stateDir: string): { readonly changed: () => Promise<void>; readonly stop: () => void } {
  let isChanged = false;
  let wake = (): void => undefined;
  const note = (): void => {
    isChanged = true;
    wake();
  };
  const stops = ['sessions', 'sessions/events'].map((name) =>
    watchFolder(join(stateDir, name), systemClock, note),
  );
  return {
    changed: async () => {
      isChanged = false;
      await pause(leastPauseMs);
      if (!isChanged) await new Promise<void>((resolve) => (wake = resolve));
    },
    stop: () => stops.forEach((stop) => stop()),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(ms, resolve));
}

function layout() {
  const paint = paintFor(process.stdout, process.env);
  return { command: typedCommand(), paint, home: homedir(), now: Date.now(), columns: terminalColumns?.() };
}

function limitOf(text = String(defaultLimit)): number {
  const limit = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
  if (limit === undefined) throw new ConfigError(`--limit=${text}: must be a whole number from 1 to 99999`);
  return limit;
}
