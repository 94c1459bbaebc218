import { cutMiddle } from '../../../core/text/escape.js';

/** The value, or its truncated JSON if it takes more than `room` characters. */
export function fitting(value: unknown, room: number): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length <= room ? value : cutMiddle(text, room);
}

export function isFitting(value: unknown, room: number): boolean {
  return (JSON.stringify(value) ?? '').length <= room;
}
