import type { McpRequestContext, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../core/caller.js';
import type { Approver } from '../core/forms.js';
import { announceUpdates } from './announce-updates.js';
import { CallStates } from './call-state.js';
import { offerCompletions } from './completions.js';
import { offerResources } from './offer-resources.js';
import { ToolsOnOffer, type ToolOffer } from './offer-tools.js';
import { offerPrompts } from './prompts/offer.js';
import { callerOf, clientIdOf, loginOf, mayAnswer, onlyClient } from './request.js';
import { resourceReader, type TextResource } from './resources/text-resource.js';
import type { ResourceUpdates } from './resources/updates.js';
import { keepApprover } from './standing-approver.js';
import { tasksExtension } from './tasks.js';
import { WorkingServer } from './working-server.js';

export interface ServerSettings extends Omit<ToolOffer, 'states'> {
  /** Whether the server may ask people through forms of their clients. */
  readonly isElicitationOn: boolean;
  /** Connections that can show a form at any time. The set changes as clients connect and disconnect. */
  readonly approvers: Set<Approver>;
  readonly version: string;
  readonly resources: readonly TextResource[];
  readonly instructions: string;
  /** Changes of sessions, for clients that subscribe to them. */
  readonly updates: ResourceUpdates;
}

const anHour = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** Builds one server per connection, or per request over HTTP. All state lives in the session layer. */
export function createServerFactory(settings: ServerSettings): (context: McpRequestContext) => Server {
  const { isElicitationOn, census, redactor, resources, loadDependencies } = settings;
  const tools = new ToolsOnOffer({ ...settings, states: new CallStates(clientIdOf) });
  const read = resourceReader(redactor);
  const isLogging = settings.tools.some((tool) => tool.isLogging === true);
  const words = settings.tools.find(({ vocabulary }) => vocabulary.check !== undefined)?.vocabulary;
  const loadReading = words && (async () => ({ ...(await loadDependencies()), maxWaitMs: 0, words }));
  return (request) => {
    const { era, authInfo } = request;
    const server = new WorkingServer(
      { name: 'claude-code-mcp', title: 'Claude Code', version: settings.version },
      {
        instructions: settings.instructions,
        capabilities: {
          tools: { listChanged: census !== undefined },
          resources: { listChanged: false, subscribe: true },
          ...(words === undefined ? {} : { prompts: { listChanged: false }, completions: {} }),
          ...(isLogging ? { logging: {} } : {}),
          ...(tools.hasTasks(era) ? { extensions: { [tasksExtension]: {} } } : {}),
        },
        cacheHints: {
          // A cached list would hide the change.
          ...(census === undefined ? { 'tools/list': anHour } : {}),
          'resources/list': anHour,
          'resources/templates/list': anHour,
          'prompts/list': anHour,
          'server/discover': anHour,
        },
      },
    );
    const callerIn = (context: ServerContext): Caller => callerOf(server, context, { era, isElicitationOn });
    tools.offerTo({ server, era, callerOf: callerIn });
    offerResources(server, {
      resources,
      read,
      redactor,
      loadDependencies: loadReading,
      callerOf: callerIn,
      nextTurn: settings.nextTurn,
    });
    announceUpdates(server, request, settings.updates);
    if (words?.start !== undefined) {
      offerPrompts(server, { ...words, start: words.start });
      offerCompletions(server, loadDependencies);
    }
    if (era === 'legacy' && isElicitationOn && mayAnswer(authInfo))
      keepApprover(server, {
        ...settings,
        clientId: authInfo?.clientId ?? onlyClient,
        login: loginOf(authInfo),
      });
    return server;
  };
}
