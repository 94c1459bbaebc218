import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text, tool } from '../kit/model-steps.js';
import { create, onBoth, pending, startSessions, untilStatus } from './sessions-moves.js';

describe.each(onBoth)('the six tools on %s, %s era', (backend, era) => {
  it('without forms: the request waits in the queue until claude_respond answers it', async () => {
    const scene = await startSessions({ era, backend });
    const { server, model, sandbox } = scene;
    const file = join(sandbox.project, 'a.txt');
    const input = { file_path: file, content: 'a' };
    model.when('write it', [tool('Write', input), text('Written.')]);

    const created = await create(scene, 'write it');
    const { sessionId } = created;
    const waiting = await untilStatus(scene, sessionId, 'waiting_for_input');
    const wasThere = existsSync(file);
    const { inputId } = await pending(scene, sessionId);
    const answered = await server.call('claude_respond', { sessionId, inputId, decision: 'allow' });
    const done = await untilStatus(scene, sessionId, 'completed');

    expect(created).toEqual({ sessionId, status: 'running' });
    expect(waiting).toEqual({
      sessionId,
      status: 'waiting_for_input',
      recentOutput: [],
      pendingInputs: [
        {
          inputId,
          type: 'permission',
          toolName: 'Write',
          toolInput: input,
          description: expect.stringContaining(`Write: ${file}`),
        },
      ],
      toolUseEvents: [{ toolName: 'Write', status: 'running' }],
    });
    expect(wasThere).toBe(false);
    expect(answered.json).toEqual({ sessionId, status: 'running' });
    expect(done).toEqual({
      sessionId,
      status: 'completed',
      result: 'Written.',
      recentOutput: ['Written.'],
      pendingInputs: [],
      toolUseEvents: [{ toolName: 'Write', status: 'completed' }],
      costUsd: expect.any(Number),
      turnCount: 2,
    });
    expect(existsSync(file)).toBe(true);
  });
});
