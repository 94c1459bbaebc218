import { readFileSync } from 'node:fs';
import type { Settings } from '../../config/settings.js';
import type { OpeningAnswers } from '../../opening/opening.js';

type OpeningSettings = Pick<
  Settings,
  'toolsets' | 'checkResponds' | 'structured' | 'dynamicTools' | 'maxDepth'
>;

/** The name of the answers that fit these settings. The build writes them for common settings. */
export function answersName(settings: OpeningSettings, depth: number): string | undefined {
  const { toolsets, checkResponds, structured, dynamicTools, maxDepth } = settings;
  if (structured || dynamicTools || depth > maxDepth) return undefined;
  return [...toolsets, ...(checkResponds ? ['check-responds'] : [])].join('+');
}

/** Undefined if the build has not stored answers for these settings. */
export function readAnswers(
  folder: URL,
  {
    settings,
    version,
    depth,
  }: { readonly settings: OpeningSettings; readonly version: string; readonly depth: number },
): OpeningAnswers | undefined {
  const name = answersName(settings, depth);
  if (name === undefined) return undefined;
  try {
    const answers = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as OpeningAnswers;
    return answers.version === version ? answers : undefined;
  } catch {
    return undefined;
  }
}
