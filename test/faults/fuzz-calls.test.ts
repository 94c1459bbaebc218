/** Calls of every tool with arguments made from its schema, against the whole server in this process. */
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { composeTools } from '../../src/app/compose-tools.js';
import { startInProcess, type InProcessScene } from '../kit/in-process.js';
import type { ToolReply } from '../kit/server-client.js';
import { fuzz, leakedWords, printed } from './fuzz-amount.js';
import { callArguments, type Known, type Schema } from './fuzz-values.js';

const perServer = 250;
const patienceMs = 10_000;
const servers = Array.from({ length: Math.ceil(fuzz.calls / perServer) }, (_, index) => index);
const counts = { calls: 0, refused: 0, served: 0, sessions: 0 };

type Call = { readonly name: string; readonly args: string };

/** The same calls for the same seed. Each server gets others. */
async function callsFor(server: number, checkResponds: boolean, known: Known): Promise<Call[]> {
  const tools = await composeTools({
    toolsets: ['async', 'sessions', 'query', 'configure'],
    checkResponds,
    maxExecutionTime: 300_000,
  });
  const calls = tools.map(({ name, input }) => {
    const schema = z.toJSONSchema(input, { io: 'input', reused: 'inline' }) as Schema;
    return callArguments(schema, known).map((args) => ({ name, args }));
  });
  const numRuns = Math.min(perServer, fuzz.calls - server * perServer);
  return fc.sample(fc.oneof(...calls), { seed: fuzz.seed + server, numRuns });
}

/** Lets time pass for a call that waits. One that still does not end hangs. */
async function answered(
  { server, clock }: InProcessScene,
  { name, args }: Call,
): Promise<ToolReply | 'hangs'> {
  const calling = server.call(name, JSON.parse(args) as Record<string, unknown>, { timeout: 3_600_000 });
  const stop = Date.now() + patienceMs;
  for (;;) {
    const reply = await Promise.race([calling, pause(20)]);
    if (reply !== undefined) return reply;
    if (Date.now() > stop) return 'hangs';
    clock.advance(60_000);
  }
}

function faultOf(reply: ToolReply | 'hangs'): string | undefined {
  if (reply === 'hangs') return reply;
  if (!reply.isError) return undefined;
  if (!/^Error \[[A-Z_]+\]: \S/.test(reply.text)) return 'is no error of ours';
  if (reply.text.startsWith('Error [INTERNAL')) return 'is an internal error';
  return leakedWords.test(reply.text) ? 'leaks words' : undefined;
}

describe('calls with made-up arguments', () => {
  afterAll(() => printed('calls', counts));

  it.each(servers)(
    'are answered in our words, and a refused one starts nothing: server %i',
    async (index) => {
      const checkResponds = index % 3 === 2;
      const scene = await startInProcess({
        era: index % 2 === 0 ? 'modern' : 'legacy',
        env: {
          CLAUDE_CODE_MCP_TOOLSETS: 'async,sessions,query,configure',
          CLAUDE_CODE_MCP_CHECK_RESPONDS: checkResponds ? '1' : '0',
          CLAUDE_CODE_MCP_STRUCTURED: index % 4 === 3 ? '1' : '0',
          LOG_LEVEL: 'error',
        },
      });
      const { server, sandbox } = scene;
      const protocolErrors: string[] = [];
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a client is no EventTarget
      server.client.onerror = ({ message }) => protocolErrors.push(message);
      const folders = [sandbox.project, `${sandbox.project}/none`, '/', sandbox.home, 'here'];
      const first = await server.call('claude_create_session', {
        prompt: 'hi',
        workingDirectory: folders[0],
      });
      const sessionId = first.json.sessionId;
      const calls = await callsFor(index, checkResponds, {
        cwd: folders,
        workingDirectory: folders,
        projectDirectory: folders,
        sessionId: [sessionId, '00000000-0000-4000-8000-000000000000', 'x'],
      });

      const findings: object[] = [];
      const named = new Set([sessionId]);
      for (const call of calls) {
        const reply = await answered(scene, call);
        const fault = faultOf(reply);
        counts.calls += 1;
        if (reply !== 'hangs' && !reply.isError) {
          counts.served += 1;
          for (const [id] of reply.text.matchAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g)) named.add(id);
        } else counts.refused += 1;
        if (fault !== undefined)
          findings.push({ ...call, fault, text: reply === 'hangs' ? '' : reply.text.slice(0, 500) });
      }
      const records = await server.call('claude_list_sessions', { limit: 100 });
      const known = records.text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];
      counts.sessions += known.length;

      const log = findings.length === 0 ? '' : server.stderr();
      expect({ findings, log }).toEqual({ findings: [], log: '' });
      expect(protocolErrors).toEqual([]);
      expect(known.filter((id) => !named.has(id))).toEqual([]);
      expect(Object.prototype).not.toHaveProperty('isAdmin');
    },
  );
});
