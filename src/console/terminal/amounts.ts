import { isInside } from '../../core/paths.js';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Roughly how long, in one unit: `3m`. */
export function span(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / secondMs))}s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)}m`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)}h`;
  return `${Math.floor(ms / dayMs)}d`;
}

/** How long, to the second: `3m 05s`. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / secondMs));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  const rest = `${String(minutes % 60).padStart(minutes < 60 ? 1 : 2, '0')}m ${String(seconds % 60).padStart(2, '0')}s`;
  return minutes < 60 ? rest : `${Math.floor(minutes / 60)}h ${rest}`;
}

/** The time of day here: `21:04:59`. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

export function count(number: number, thing: string): string {
  return `${number.toLocaleString('en-US')} ${thing}${number === 1 ? '' : 's'}`;
}

/** A folder as people write it: `~/code`. */
export function shortFolder(folder: string, home: string): string {
  if (home === '' || home === '/' || !isInside(folder, home)) return folder;
  return `~${folder.slice(home.length)}`;
}
