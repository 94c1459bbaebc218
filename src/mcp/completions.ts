import type { Server } from '@modelcontextprotocol/server';
import type { ToolDependencies } from '../toolsets/shared/define-tool.js';
import type { ArgumentKind } from './prompts/prompts.js';
import { sessionResources } from './resources/session-resources.js';

/** The protocol's limit. */
const maxValues = 100;
/** How many of the latest sessions are searched. */
const searched = 200;

/** Completes session ids and folders, in resource templates and prompts. */
export function offerCompletions(server: Server, loadDependencies: () => Promise<ToolDependencies>): void {
  server.setRequestHandler(
    'completion/complete',
    async ({ params: { ref, argument } }, { mcpReq: { signal } }) => {
      const kind =
        ref.type === 'ref/resource'
          ? kindInTemplate(ref.uri, argument.name)
          : await kindInPrompt(ref.name, argument.name);
      const values =
        kind === 'text' ? [] : await valuesOf(kind, argument.value, await loadDependencies(), signal);
      const shown = values.slice(0, maxValues);
      return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
    },
  );
}

function kindInTemplate(uriTemplate: string, argument: string): ArgumentKind {
  const isKnown = sessionResources.some((one) => one.uriTemplate === uriTemplate);
  return isKnown && argument === 'id' ? 'session' : 'text';
}

async function kindInPrompt(prompt: string, argument: string): Promise<ArgumentKind> {
  const { prompts } = await import('./prompts/prompts.js');
  const wanted = prompts.find(({ name }) => name === prompt)?.arguments;
  return wanted?.find(({ name }) => name === argument)?.kind ?? 'text';
}

async function valuesOf(
  kind: Exclude<ArgumentKind, 'text'>,
  typed: string,
  { sessions: { catalogue } }: ToolDependencies,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { entries } = await catalogue.list({ scope: catalogue.widestScope, limit: searched }, signal);
  const all =
    kind === 'session'
      ? entries.map(({ sessionId }) => sessionId)
      : entries.map(({ ours, disk }) => ours?.folder ?? disk?.cwd ?? '');
  return [...new Set(all)].filter((value) => value !== '' && value.startsWith(typed));
}
