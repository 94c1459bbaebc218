import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start, wants } from '../kit/approval-moves.js';
import { restart, shareScene, startScene } from '../kit/fixture.js';
import { text, tool } from '../kit/model-steps.js';

const backends = ['agent-sdk', 'cli'];
/** A long command that Claude Code asks about. */
const touching = (file: string): string => `touch ${file} ${'x'.repeat(250)}`;
const lines = (count: number, chars: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index} `.padEnd(chars, 'x'));

describe.each(backends)('options that no process can start with, on the %s backend', (backend) => {
  const share = shareScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: backend } });

  // Linux limits each argument, other systems all of them together.
  it.skipIf(process.platform !== 'linux')('are refused by their flag if they are too long', async () => {
    const network = { deniedDomains: lines(100, 900) };
    const filesystem = { denyRead: lines(100, 900) };

    const { text: answer } = await start(share(), { advanced: { sandbox: { network, filesystem } } });

    expect(answer).toMatch(
      /^Error \[INVALID_ARGUMENT\]: .* would get 18\d{4} bytes in its argument --settings, .*\. Shorten the rules/,
    );
  });

  it.each([
    [
      'a schema that only Claude Code can judge',
      {
        advanced: { outputFormat: { type: 'json_schema', schema: { properties: { a: { pattern: '(' } } } } },
      },
      /: outputFormat\.schema is not valid: Invalid regular expression: missing \)\. Pass a valid JSON Schema\.$/,
    ],
    [
      'a NUL in an argument',
      { advanced: { planModeInstructions: 'a\0b' } },
      /: advanced\.planModeInstructions must not contain NUL\./,
    ],
  ])('are refused by their name: %s', async (_, options, refusal) => {
    const { text: answer } = await start(share(), options);

    expect(answer).toMatch(/^Error \[INVALID_ARGUMENT\]/);
    expect(answer).toMatch(refusal);
  });
});

it.each(backends)(
  'a session with more approvals than one argument holds can be continued: %s',
  async (backend) => {
    const env = { CLAUDE_CODE_MCP_BACKEND: backend, CLAUDE_CODE_MCP_APPROVALS: 'any' };
    const scene = await startScene({ era: 'modern', env });
    wants(scene, ...['a', 'b'].map((name) => tool('Bash', { command: `touch ${name}.txt` })));
    let { json } = await start(scene);
    const { sessionId } = json;
    for (const name of ['a', 'b']) {
      const updatedPermissions = Array.from({ length: 20 }, (_, update) => ({
        type: 'addRules',
        behavior: 'allow',
        rules: Array.from({ length: 20 }, (__, rule) => ({
          toolName: 'Bash',
          ruleContent: touching(`${name}-${update}-${rule}`),
        })),
      }));
      const requestId = json.actions?.[0]?.requestId;
      const answer = { sessionId, requestId, decision: 'allow', updatedPermissions, waitMs: 20_000 };
      ({ json } = await scene.server.call('claude_code_respond', answer));
    }
    const { server, model, sandbox } = await restart(scene, { era: 'modern', env });
    const newest = 'b-19-19';
    model.when('go on', [tool('Bash', { command: touching(newest) }), text('I did')]);

    const reply = await server.call('claude_code_reply', { sessionId, prompt: 'go on', waitMs: 20_000 });

    expect([json, reply.json]).toMatchObject([
      { status: 'idle', result: { result: 'over', isError: false } },
      { status: 'idle', result: { result: 'I did', isError: false } },
    ]);
    expect(existsSync(join(sandbox.project, newest))).toBe(true);
  },
);
