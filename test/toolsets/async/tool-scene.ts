import { isCallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import { systemClock } from '../../../src/core/clock.js';
import type { EndedCall } from '../../../src/core/observability/call-observer.js';
import { plainCaller } from '../../kit/callers.js';
import { CallStates } from '../../../src/mcp/call-state.js';
import { callTool } from '../../../src/mcp/call-tool.js';
import { checkRespondsTools } from '../../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../../src/toolsets/async/index.js';
import type { FakeProcess } from '../../kit/fake-backend.js';
import { blindRedactor } from '../../kit/redactors.js';
import { createManagerScene, type ManagerSceneOptions } from '../../sessions/manager-scene.js';

export type Json = Readonly<Record<string, unknown>>;
export type ToolScene = Awaited<ReturnType<typeof createToolScene>>;

/** The tools on a real session layer, whose Claude Code and clock are fake. */
export async function createToolScene(options: ManagerSceneOptions = {}) {
  const scene = await createManagerScene(options);
  const { manager, logger, ids } = scene;
  const ended: EndedCall[] = [];
  const call = async (
    name: string,
    args: Json = {},
    tools = asyncTools,
    signal = new AbortController().signal,
  ): Promise<string> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const loadDependencies = async () => ({ sessions: manager, maxWaitMs: 45_000 });
    const context = { mcpReq: { signal, requestState: () => undefined } };
    const answer = await callTool(
      { tool, args, context: context as unknown as ServerContext, caller: plainCaller, era: 'modern' },
      {
        loadDependencies,
        logger,
        redactor: blindRedactor,
        ids,
        states: new CallStates(() => 'c1'),
        isStructured: false,
        clock: systemClock,
        observers: [{ onCallEnded: (one) => void ended.push(one) }],
      },
    );
    if (!isCallToolResult(answer)) throw new Error('there is nobody to show a form to');
    const [block] = answer.content;
    return block?.type === 'text' ? block.text : '';
  };
  const callJson = async (name: string, args: Json = {}): Promise<Json> => parse(await call(name, args));
  const callOld = (name: string, args: Json): Promise<string> => call(name, args, checkRespondsTools);
  return { ...scene, ended, call, callJson, callOld };
}

export function parse(text: string): Json {
  if (text.startsWith('Error [')) throw new Error(text);
  return JSON.parse(text) as Json;
}

export interface Started {
  readonly snapshot: Json;
  readonly sessionId: string;
  readonly process: FakeProcess;
}

/** A session that works on its first prompt. */
export async function startVia(
  { callJson, backend }: ToolScene,
  args: Json = {},
  tools: readonly string[] = [],
): Promise<Started> {
  const index = backend.processes.length;
  const started = callJson('claude_code', { prompt: 'do it', ...args });
  const process = await backend.process(index);
  await process.prompt(0);
  process.init(tools);
  const snapshot = await started;
  return { snapshot, sessionId: String(snapshot['sessionId']), process };
}

/** The id of the first request that the session has open. */
export async function openRequest(scene: ToolScene, sessionId: string): Promise<string> {
  const { actions } = await scene.callJson('claude_code_check', { sessionId });
  return String((actions as Json[])[0]?.['requestId']);
}
