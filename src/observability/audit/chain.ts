import { createHmac } from 'node:crypto';
import { jsonLine } from '../../core/text/escape.js';

/** Number and MAC of the last line of a chain. */
export interface ChainHead {
  readonly seq: number;
  readonly mac: string;
}

/** Before the first line. */
export const noHead: ChainHead = { seq: 0, mac: '0'.repeat(64) };

const macStart = Buffer.from(',"mac":"');
const macChars = 64;
const lineEnd = Buffer.from('"}');
const tailLength = macStart.length + macChars + lineEnd.length;

/** The next line of a chain, with its line break. Contains the MAC of the previous line and its own. */
export function chainLine(
  before: ChainHead,
  entry: object,
  { key, time }: { readonly key: Buffer; readonly time: string },
): { readonly line: Buffer; readonly head: ChainHead } {
  const seq = before.seq + 1;
  const body = Buffer.from(jsonLine({ seq, time, prev: before.mac, ...entry }).slice(0, -1));
  const mac = macOf(body, key);
  return { line: Buffer.concat([body, macStart, Buffer.from(`${mac}"}\n`)]), head: { seq, mac } };
}

/** The head after this line (without its line break), or a description of the problem. */
export function followChain(line: Buffer, before: ChainHead, key: Buffer): ChainHead | string {
  const read = readLine(line, key);
  if (read === undefined) return 'was changed, or does not belong to this log';
  const { seq, prev, mac } = read;
  if (seq > before.seq + 1) return `${missing(before.seq + 1, seq - 1)} before it`;
  if (seq <= before.seq) return `is out of order: line number ${seq} follows number ${before.seq}`;
  return prev === before.mac ? { seq, mac } : `does not match the line before it`;
}

/** Undefined when the MAC of the line does not match its bytes. */
export function readLine(
  line: Buffer,
  key: Buffer,
): { readonly seq: number; readonly prev: string; readonly mac: string } | undefined {
  const body = line.subarray(0, Math.max(0, line.length - tailLength));
  const mac = macOf(body, key);
  // Compares bytes, so that no other spelling of the same JSON passes.
  if (!line.subarray(body.length).equals(Buffer.concat([macStart, Buffer.from(`${mac}"}`)])))
    return undefined;
  const { seq, prev } = JSON.parse(`${body.toString('utf8')}}`) as { seq: number; prev: string };
  return { seq, prev, mac };
}

/** The complete lines without their line breaks, and the offset at which they end. */
export function splitLines(bytes: Buffer): { readonly lines: readonly Buffer[]; readonly end: number } {
  const lines: Buffer[] = [];
  let end = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, end)) {
    lines.push(bytes.subarray(end, at));
    end = at + 1;
  }
  return { lines, end };
}

export function missing(from: number, to: number): string {
  return from === to ? `line number ${from} is missing` : `lines number ${from} to ${to} are missing`;
}

/** `seq:mac`, as stored next to the key and written to the server's log. */
export function formatHead({ seq, mac }: ChainHead): string {
  return `${String(seq).padStart(16, '0')}:${mac}`;
}

export function parseHead(text: string): ChainHead | undefined {
  const [, seq, mac] = /^(\d{1,16}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return seq === undefined || mac === undefined ? undefined : { seq: Number(seq), mac };
}

function macOf(body: Buffer, key: Buffer): string {
  return createHmac('sha256', key).update(body).digest('hex');
}
