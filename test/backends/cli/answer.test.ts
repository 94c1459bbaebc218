import { expect, it } from 'vitest';
import { answerQuestion } from '../../../src/backends/cli/permission/answer.js';
import { RecordingHost } from '../../contract/recording-host.js';

const question = { sessionId: 's', tool_use_id: 'toolu_1', input: { tool_name: 'Bash', input: {} } };
const { signal } = new AbortController();

it('asks nobody when an agent calls the permission tool itself', async () => {
  const host = new RecordingHost();

  const verdict = await answerQuestion({ ...question, tool_name: 'mcp__perm__permission_check' }, signal, {
    host,
    permissionMode: 'default',
  });

  expect({ verdict, asked: host.asks }).toEqual({
    verdict: { behavior: 'deny', message: 'This tool is only for Claude Code itself.' },
    asked: [],
  });
});
