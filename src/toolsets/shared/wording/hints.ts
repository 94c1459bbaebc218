import type { EffectiveOptions } from '../../../core/options/index.js';
import { quoteCode } from '../../../inputs/quote.js';
import { askOperatorTo } from './sentences.js';
import type { Vocabulary } from './vocabulary.js';

/** Why the content of a listed session is not shown. */
const unreadHint =
  'Someone else started this session, and this server may not read it. To read it, ask the operator to set CLAUDE_CODE_MCP_HISTORY=read.';

/** What a caller can do about a session that another server runs. */
const elsewhereHint =
  'Watch it here. Only the client of that server can answer its requests, interrupt it or add to it.';

/** Why a caller sees or can do less than usual. */
export function noteOn({
  isUnread,
  elsewhere,
}: {
  readonly isUnread: boolean;
  readonly elsewhere: number | undefined;
}): string | undefined {
  if (elsewhere !== undefined) return elsewhereHint;
  return isUnread ? unreadHint : undefined;
}

/** Why a session runs without the settings of its folder, or without servers of the user, and how to enable them. */
export function trustHint(
  {
    projectSettings,
    skippedFiles = [],
    withheldServers = [],
    withheldPlugins = [],
  }: Pick<EffectiveOptions, 'projectSettings' | 'skippedFiles' | 'withheldServers' | 'withheldPlugins'>,
  { setting, command }: Pick<Vocabulary, 'setting' | 'command'>,
): string | undefined {
  if (projectSettings !== 'skipped' && withheldServers.length + withheldPlugins.length === 0)
    return undefined;
  const missing = [
    ...(skippedFiles.length === 0 ? [] : [`${few(skippedFiles)} not loaded`]),
    ...(withheldServers.length === 0
      ? []
      : [`MCP servers not started: ${few(withheldServers.map(({ name }) => name))}`]),
    ...(withheldPlugins.length === 0 ? [] : [`plugins not loaded: ${few(withheldPlugins)}`]),
  ];
  const details = missing.length === 0 ? '' : `: ${missing.join('; ')}`;
  return `skipped: folder not trusted${details} (the user can run \`${command} trust .\` there, or ${askOperatorTo(`add it to ${setting('trustedRoots')}`)})`;
}

/** A repository can choose the name of a folder, so an unusual one is quoted. */
function few(names: readonly string[]): string {
  const isPlain = (name: string): boolean => /^[\w./\\:@-]+$/.test(name);
  return names
    .slice(0, 5)
    .map((name) => (isPlain(name) ? name : quoteCode(name, 200)))
    .join(', ');
}
