import { describe, expect, it } from 'vitest';
import { exists, start, touch, wants } from '../kit/approval-moves.js';
import { restartInProcess, startInProcess } from '../kit/in-process.js';
import { tool } from '../kit/model-steps.js';
import { toolResultText } from '../kit/tool-result.js';

const rm = (id: string) => tool('Bash', { command: 'rm keep.txt' }, { id });

describe('a rule of what the caller forbids', () => {
  it.each([
    ['allowed once', { decision: 'allow' }],
    ['allowed for the session', { decision: 'allow_for_session' }],
    [
      'allowed with a rule for the tool',
      { decision: 'allow', updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash' }] }] },
    ],
    [
      'allowed with the very rule',
      {
        decision: 'allow',
        updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'rm *' }] }],
      },
    ],
    [
      'allowed with a mode that edits without approval',
      { decision: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }] },
    ],
  ])('goes along with every process after another call was %s', async (_name, answer) => {
    const before = await startInProcess({ era: 'modern' });
    wants(before, tool('Bash', touch), rm('toolu_first'));
    const asked = await start(before, { disallowedTools: ['Bash(rm *)'] });
    const { sessionId } = asked.json;
    const requestId = asked.json.actions?.[0]?.requestId;
    const first = await before.server.call('claude_code_respond', { requestId, ...answer });
    const scene = await restartInProcess(before, { era: 'modern' });
    wants(scene, rm('toolu_next'));

    const next = await scene.server.call('claude_code_reply', { sessionId, prompt: 'do it', waitMs: 20_000 });

    expect([first.json, next.json]).toMatchObject([{ status: 'idle' }, { status: 'idle' }]);
    expect(scene.world.launches.map(({ disallowedTools }) => disallowedTools)).toEqual([
      expect.arrayContaining(['Bash(rm *)']),
      expect.arrayContaining(['Bash(rm *)']),
    ]);
    const last = scene.model.requests(sessionId).at(-1);
    for (const id of ['toolu_first', 'toolu_next'])
      expect(last && toolResultText(last, id)).toContain('has been denied');
    expect(exists(scene, 'a.txt')).toBe(true);
  });
});
