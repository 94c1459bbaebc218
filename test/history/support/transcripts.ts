import { randomUUID } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClaudeHome } from '../../../src/history/claude-home.js';
import { projectFolderName } from '../../../src/history/project-folder.js';
import { put } from './temp-home.js';

export interface FakeTranscript {
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly entrypoint?: string;
  readonly title?: string;
  /** Seconds. */
  readonly modifiedAt?: number;
  /** The whole file, instead of one made of the rest. */
  readonly content?: string;
}

/** A line as Claude Code writes it when a prompt arrives. */
export function promptLine(fields: Pick<FakeTranscript, 'cwd' | 'prompt' | 'entrypoint'> = {}): string {
  const { cwd = '/work/project', prompt = 'hello', entrypoint = 'sdk-ts' } = fields;
  return line({ type: 'user', message: { role: 'user', content: prompt }, entrypoint, cwd });
}

export function titleLine(customTitle: string): string {
  return line({ type: 'custom-title', customTitle });
}

export function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export async function putTranscript(
  { projectsDir }: ClaudeHome,
  fake: FakeTranscript = {},
): Promise<{ sessionId: string; path: string }> {
  const { sessionId = randomUUID(), cwd = '/work/project', title, content, modifiedAt } = fake;
  const path = join(projectsDir, projectFolderName(cwd), `${sessionId}.jsonl`);
  await put(path, content ?? promptLine(fake) + (title === undefined ? '' : titleLine(title)));
  if (modifiedAt !== undefined) await utimes(path, modifiedAt, modifiedAt);
  return { sessionId, path };
}
