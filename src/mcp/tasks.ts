import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Caller } from '../core/caller.js';
import { isObject, ownValue, parseObject } from '../core/json.js';
import type { OpenForms } from '../toolsets/reference/open-forms.js';
import type { ToolDependencies } from '../toolsets/shared/define-tool.js';
import { toInputRequest, toReply } from './forms.js';

export interface TaskSettings {
  /** Calls one of our tools, so that a task is checked, logged and audited like a call. */
  readonly call: (
    tool: (typeof taskTools)[number],
    args: Record<string, unknown>,
    context: ServerContext,
  ) => Promise<object>;
  readonly callerOf: (context: ServerContext) => Caller;
  readonly loadDependencies: () => Promise<ToolDependencies>;
  /** Shared by all connections of a principal, because over HTTP each request is a separate connection. */
  readonly loadForms: () => Promise<OpenForms>;
}

/** The tools that a task is made of. */
export const taskTools = ['claude_code', 'claude_code_check', 'claude_code_session'] as const;

export const tasksExtension = 'io.modelcontextprotocol/tasks';

const pollIntervalMs = 2_000;

/** Built once, because over HTTP each request has a server of its own. */
const byId = z.object({ taskId: z.string() });

const statuses: Readonly<Record<string, 'working' | 'input_required' | 'completed' | 'cancelled'>> = {
  running: 'working',
  waiting: 'input_required',
  idle: 'completed',
  // The call is complete, and its result says what went wrong.
  error: 'completed',
  cancelled: 'cancelled',
};

/** Whether the client of this request follows tasks. Without the declaration it could not read the answer. */
export function wantsTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return isObject(ownValue(capabilities, 'extensions', tasksExtension));
}

/**
 * Turns the answer of a call into a task while the session still works. The task has the id of the session, so the tools
 * and the task act on the same session and the same requests.
 */
export async function asTask<T extends object>(
  answer: T,
  context: ServerContext,
  settings: TaskSettings,
): Promise<T> {
  const { sessionId, status } = contentOf(answer);
  if (typeof sessionId !== 'string' || (status !== 'running' && status !== 'waiting')) return answer;
  // The SDK sends it as it is, but has no type for it.
  return { resultType: 'task', ...(await taskOf(sessionId, context, settings)) } as unknown as T;
}

export function offerTasks(server: Server, settings: TaskSettings): void {
  server.setRequestHandler('tasks/get', { params: byId }, async ({ taskId }, context) => {
    const task = await taskOf(taskId, context, settings);
    if (task.status === 'input_required')
      return { ...task, inputRequests: await formsOf(taskId, context, settings) };
    if (task.status !== 'completed') return task;
    const answer = await settings.call('claude_code_check', { sessionId: taskId, waitMs: 0 }, context);
    return { ...task, result: { resultType: 'complete', ...answer } };
  });
  server.setRequestHandler('tasks/update', { params: byId }, async ({ taskId }, context) => {
    await taskOf(taskId, context, settings);
    const [deps, forms] = await Promise.all([settings.loadDependencies(), settings.loadForms()]);
    const { inputResponses = {} } = context.mcpReq;
    for (const requestId of Object.keys(inputResponses)) {
      const response = inputResponse(inputResponses, requestId);
      if (response.kind === 'elicit')
        forms.answer(requestId, toReply(response), deps, settings.callerOf(context));
    }
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: byId }, async ({ taskId }, context) => {
    await settled('claude_code_session', { action: 'cancel', sessionId: taskId }, context, settings);
    return {};
  });
}

interface Task {
  readonly [key: string]: unknown;
  readonly status: string | undefined;
}

async function taskOf(taskId: string, context: ServerContext, settings: TaskSettings): Promise<Task> {
  const found = await settled('claude_code_session', { action: 'get', sessionId: taskId }, context, settings);
  const { status, createdAt, lastUsedAt, activity } = found;
  return {
    taskId: found['sessionId'],
    status: statuses[String(status)],
    ...(typeof activity === 'string' ? { statusMessage: activity } : {}),
    createdAt,
    lastUpdatedAt: lastUsedAt,
    // eslint-disable-next-line unicorn/no-null -- the extension asks for it: kept for as long as the session
    ttlMs: null,
    pollIntervalMs,
  };
}

async function formsOf(
  taskId: string,
  context: ServerContext,
  { loadDependencies, loadForms, callerOf }: TaskSettings,
): Promise<Record<string, unknown>> {
  const [deps, forms] = await Promise.all([loadDependencies(), loadForms()]);
  const open = await forms.read(taskId, deps, callerOf(context));
  return Object.fromEntries([...open].map(([requestId, form]) => [requestId, toInputRequest(form)]));
}

/** The answer of one of our tools. An error of the tool becomes a protocol error. */
async function settled(
  tool: (typeof taskTools)[number],
  args: Record<string, unknown>,
  context: ServerContext,
  { call }: TaskSettings,
): Promise<Record<string, unknown>> {
  const answer = await call(tool, args, withoutReplies(context));
  if (ownValue(answer, 'isError') === true)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, textIn(answer));
  return contentOf(answer);
}

/** The replies belong to the task: our tools would take them for replies to a form that a call returned. */
function withoutReplies(context: ServerContext): ServerContext {
  const { inputResponses: _replies, ...mcpReq } = context.mcpReq;
  return { ...context, mcpReq };
}

function contentOf(answer: object): Record<string, unknown> {
  return parseObject(textIn(answer)) ?? {};
}

function textIn(answer: object): string {
  const content = ownValue(answer, 'content');
  const [block]: unknown[] = Array.isArray(content) ? content : [];
  return String(ownValue(block, 'text'));
}
