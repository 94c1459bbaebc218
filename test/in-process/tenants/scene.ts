import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  startServiceInProcess,
  type InProcessClient,
  type ServiceOptions,
  type ServiceScene,
} from '../../kit/in-process-service.js';
import { text, tool } from '../../kit/model-steps.js';
import type { Era } from '../../kit/server-client.js';
import type { Names } from './tries.js';

/** Nothing that belongs to Bob may contain this word. */
export const secret = 'heron';

export type TwoTenants = ServiceScene & { readonly alice: InProcessClient; readonly bob: InProcessClient };

/** A service with everything on that a caller could use to look around. */
export async function startTwo(era: Era, env: ServiceOptions['env'] = {}): Promise<TwoTenants> {
  const scene = await startServiceInProcess({
    principals: { alice: {}, bob: {} },
    env: {
      CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions,query,configure',
      CLAUDE_CODE_MCP_APPROVALS: 'any',
      CLAUDE_CODE_MCP_HISTORY: 'read',
      CLAUDE_CODE_MCP_RESUME_SECRET: 'a secret of the operator',
      CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS: '1',
      ...env,
    },
  });
  const alice = await scene.connect('alice', { era });
  const bob = await scene.connect('bob', { era });
  return { ...scene, alice, bob };
}

/** Alice has a session that waits for an answer, and one that has finished. */
export async function aliceWorks({ alice, model, rootOf }: TwoTenants): Promise<Names> {
  model.when('ask', [tool('Bash', { command: `echo ${secret} > ${secret}.txt` }), text('Asked.')]);
  model.when('say', [text(`The word is ${secret}.`)]);
  const cwd = rootOf('alice');
  const waiting = await alice.call('claude_code', { prompt: `ask ${secret}`, cwd, waitMs: 20_000 });
  const idle = await alice.call('claude_code', { prompt: `say ${secret}`, cwd, waitMs: 20_000 });
  const { sessionId } = idle.json;
  const transcript = await alice.call('claude_code_session', { action: 'transcript', sessionId });
  const names: Names = {
    waiting: waiting.json.sessionId,
    idle: sessionId,
    requestId: waiting.json.actions?.[0]?.requestId ?? '',
    cursor: waiting.json.cursor,
    messageId: /"uuid":"([^"]+)"/.exec(transcript.text)?.[1] ?? '',
    resumeToken: /"resumeToken":"([^"]+)"/.exec(idle.text)?.[1] ?? '',
    folder: cwd,
  };
  expect(idle.json.result?.result).toBe(`The word is ${secret}.`);
  expect(Object.values(names)).not.toContain('');
  return names;
}

/** Valid names that no principal has. */
export function unknownNames({ requestId, cursor, resumeToken, folder }: Names): Names {
  return {
    waiting: randomUUID(),
    idle: randomUUID(),
    messageId: randomUUID(),
    requestId: reversed(requestId),
    resumeToken: reversed(resumeToken),
    cursor,
    folder: join(folder, '..', 'nowhere'),
  };
}

function reversed(id: string): string {
  return id.split('').toReversed().join('');
}
