/** Whatever an answer shows only in part can be read to its end with the tools that are served, byte for byte. */
import { describe, expect, it } from 'vitest';
import { maxResultChars } from '../../src/mcp/render.js';
import { createGate } from '../kit/gate.js';
import { restartInProcess, startInProcess, type InProcessServer } from '../kit/in-process.js';
import { gate, say, text, tool } from '../kit/model-steps.js';
import type { ToolReply } from '../kit/server-client.js';
import { until } from '../kit/until.js';
import { carriedChars } from '../kit/view-text.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * 100 kB of what JSON makes longer: quotes, line breaks, backslashes, characters of two units, and those that an approver
 * would not see: in emoji, between Chinese words, and many marks on one letter.
 */
const unit =
  'const path = "C:\\\\temp\\n";\t// é 漢　字 😀 👩\u200d💻 ❤\ufe0f z\u0335\u0322\u0335\u0322\u0335\n\tif (x) { return `\'${y}\'`; }\n';
const long = unit.repeat(Math.ceil(100_000 / unit.length)).trim();

const serving = {
  'five tools': {},
  'four tools': { CLAUDE_CODE_MCP_CHECK_RESPONDS: '1' },
  'six tools': { CLAUDE_CODE_MCP_TOOLSETS: 'sessions' },
  query: { CLAUDE_CODE_MCP_TOOLSETS: 'query' },
} as const;

function jsonOf({ json }: ToolReply): Json {
  return json as unknown as Json;
}

/** Runs the call that an answer names, as a model would copy it. */
async function run(server: InProcessServer, call: unknown, more: Json = {}): Promise<Json> {
  const [, name = '', args = ''] = /^(\w+) (\{.*\})$/s.exec(String(call)) ?? [];
  const reply = await server.call(name, merged(JSON.parse(args) as Json, more));
  expect(reply.text).not.toMatch(/^Error/);
  expect(carriedChars(reply.text)).toBeLessThanOrEqual(maxResultChars);
  return jsonOf(reply);
}

function merged(args: Json, { pollOptions, ...more }: Json): Json {
  if (pollOptions === undefined) return { ...args, ...more };
  return { ...args, ...more, pollOptions: { ...(args['pollOptions'] as Json), ...(pollOptions as Json) } };
}

/** Follows a call from its first page to its last. `at` says where the offset goes. */
async function readOn(
  server: InProcessServer,
  call: unknown,
  at: (offset: number) => Json,
  from = 0,
): Promise<string> {
  let whole = '';
  let offset: number | undefined = from;
  let pages = 0;
  while (offset !== undefined) {
    const page = await run(server, call, at(offset));
    whole += String(page['text']);
    offset = page['nextOffset'] as number | undefined;
    pages += 1;
  }
  // A page that is nearly empty would make a caller give up.
  expect(pages).toBeLessThan(60);
  return whole;
}

const offsetOf = (call: unknown): number => Number(/Offset":(\d+)/.exec(String(call))?.[1]);
const resultOffset = (offset: number): Json => ({ resultOffset: offset });
const inPollOptions = (offset: number): Json => ({ pollOptions: { resultOffset: offset } });

describe.each([
  ['five tools', resultOffset],
  ['four tools', inPollOptions],
] as const)('with the %s', (name, at) => {
  const check = (sessionId: unknown): Json =>
    name === 'five tools' ? { sessionId } : { action: 'poll', sessionId };

  it('a long result is read to its end', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern', env: serving[name] });
    model.when('talk', [text(long)]);
    const { json } = await server.call('claude_code', { prompt: 'talk', cwd: sandbox.project });
    const done = jsonOf(await server.call('claude_code_check', check(json.sessionId)));
    const { readMore, result } = done['result'] as Json;

    const rest = await readOn(server, readMore, at, offsetOf(readMore));

    expect(String(result).slice(0, offsetOf(readMore)) + rest).toBe(long);
  });

  it('each page names the turn of its result, because another turn may end while it is read', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern', env: serving[name] });
    model.when('first', [text('x'.repeat(20_000))]);
    model.when('second', [text('y'.repeat(20_000))]);
    const { json } = await server.call('claude_code', { prompt: 'first', cwd: sandbox.project });
    const { sessionId } = json;
    const done = jsonOf(await server.call('claude_code_check', check(sessionId)));
    const { readMore, turn } = done['result'] as Json;

    const before = await run(server, readMore, at(0));
    await server.call('claude_code_reply', { sessionId, prompt: 'second', waitMs: 20_000 });
    const after = await run(server, readMore, at(Number(before['nextOffset'])));

    expect([turn, before['turn'], after['turn']]).toEqual([1, 1, 2]);
  });

  it.each([
    ['input', 'Write', { file_path: 'a.txt', content: long }],
    ['plan', 'ExitPlanMode', { plan: long }],
  ])('a long %s is read before it is approved', async (_what, toolName, input) => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern', env: serving[name] });
    model.when('work', [tool(toolName, input), text('Done.')]);
    const { json } = await server.call('claude_code', {
      prompt: 'work',
      cwd: sandbox.project,
      permissionMode: toolName === 'Write' ? 'default' : 'plan',
    });
    const waiting = jsonOf(await server.call('claude_code_check', check(json.sessionId)));
    const [action] = waiting['actions'] as Json[];

    const whole = JSON.parse(await readOn(server, action?.['readMore'], at)) as Json;

    expect(whole['content'] ?? whole['plan']).toBe(long);
  });

  it('a long prompt that a restart has kept is read to its end, so that it can be sent again', async () => {
    const scene = await startInProcess({ era: 'modern', env: serving[name] });
    const held = createGate();
    scene.model.when('first', [gate(held, text('Done.'))]);
    const { json } = await scene.server.call('claude_code', { prompt: 'first', cwd: scene.sandbox.project });
    const { sessionId } = json;
    await held.reached;
    await scene.server.call('claude_code_reply', { sessionId, prompt: long, whenBusy: 'queue' });
    const { server } = await restartInProcess(scene, { era: 'modern', env: serving[name] });

    const { keptPrompts, readMore } = jsonOf(await server.call('claude_code_check', check(sessionId)));
    const whole = JSON.parse(await readOn(server, readMore, (offset) => ({ offset }))) as Json;

    expect(keptPrompts).not.toEqual([long]);
    expect(whole['keptPrompts']).toEqual([long]);
    held.open();
  });

  it('a long system prompt, agents and folders are read to their end by callers that may see them', async () => {
    const { server, sandbox } = await startInProcess({
      era: 'modern',
      env: { ...serving[name], CLAUDE_CODE_MCP_ALLOW_SENSITIVE_SESSION_DETAILS: '1' },
    });
    const agents = { helper: { description: 'Helps.', prompt: long } };
    const { json } = await server.call('claude_code', {
      prompt: 'hello',
      cwd: sandbox.project,
      title: 'T'.repeat(200),
      systemPrompt: long,
      advanced: { agents },
      waitMs: 20_000,
    });
    const get = { action: 'get', sessionId: json.sessionId };
    const readDetails = async (answer: Json): Promise<Json> =>
      JSON.parse(await readOn(server, answer['readMore'], (offset) => ({ offset }))) as Json;

    const all = await readDetails(
      jsonOf(await server.call('claude_code_session', { ...get, includeSensitive: true })),
    );
    const usual = await readDetails(jsonOf(await server.call('claude_code_session', get)));

    expect(all).toMatchObject({ title: 'T'.repeat(200), systemPrompt: long, agents });
    expect(usual).toMatchObject({ title: 'T'.repeat(200), cwd: sandbox.project });
    expect(Object.keys(usual)).not.toContain('systemPrompt');
  });

  it('a long message of the transcript is read to its end', async () => {
    const { server, model, sandbox } = await startInProcess({ era: 'modern', env: serving[name] });
    model.when('talk', [text(long)]);
    const { json } = await server.call('claude_code', {
      prompt: 'talk',
      cwd: sandbox.project,
      waitMs: 20_000,
    });
    const page = jsonOf(
      await server.call('claude_code_session', { action: 'transcript', sessionId: json.sessionId }),
    );

    expect(await readOn(server, page['readMore'], (offset) => ({ offset }))).toBe(long);
  });
});

describe('with the six tools', () => {
  const start = async (prompt: string, steps: Parameters<Scene['model']['when']>[1], args: Json = {}) => {
    const scene = await startInProcess({ era: 'modern', env: serving['six tools'] });
    scene.model.when(prompt, steps);
    const { server, sandbox } = scene;
    const { json } = await server.call('claude_create_session', {
      prompt,
      workingDirectory: sandbox.project,
      ...args,
    });
    const { sessionId } = json;
    const status = await until('the turn ends or asks', async () => {
      const now = jsonOf(await server.call('claude_get_status', { sessionId, outputLines: 800 }));
      return now['status'] !== 'running' && now;
    });
    return { server, status };
  };

  it('a long result and long output are read to their end', async () => {
    const { server, status } = await start('talk', [text(long)]);
    const { readMore, readMoreOutput, result } = status;

    const rest = await readOn(server, readMore, resultOffset, offsetOf(readMore));

    expect(String(result).slice(0, offsetOf(readMore)) + rest).toBe(long);
    expect(await readOn(server, readMoreOutput, (outputOffset) => ({ outputOffset }))).toBe(long);
  });

  it.each([
    ['input', 'Write', { file_path: 'a.txt', content: long }],
    ['plan', 'ExitPlanMode', { plan: long }],
  ])('a long %s is read before it is approved', async (_what, toolName, input) => {
    const { server, status } = await start('work', [tool(toolName, input), text('Done.')], {
      permissionMode: toolName === 'Write' ? 'default' : 'plan',
    });
    const [pending] = status['pendingInputs'] as Json[];

    const whole = JSON.parse(await readOn(server, pending?.['readMore'], resultOffset)) as Json;

    expect(whole['content'] ?? whole['plan']).toBe(long);
  });

  it('a page that begins inside a word shows the rest of the word', async () => {
    const names = 'task-0a1b2c3d4e5f60718293 '.repeat(1_000).trim();
    const { server, status } = await start('talk', [text(names)]);
    const sessionId = String(status['sessionId']);
    const inWord = names.indexOf('sk-', 10_000);

    const pages = await Promise.all(
      [{ resultOffset: inWord }, { outputOffset: inWord }].map((place) =>
        run(server, `claude_get_status ${JSON.stringify({ sessionId, ...place })}`),
      ),
    );

    for (const page of pages) expect(names.slice(inWord)).toContain(String(page['text']));
  });

  it('shows as many lines of output as fit, if nothing else needs the room', async () => {
    const lines = Array.from({ length: 800 }, (_, index) => `line ${index}`);
    const { status } = await start('talk', [
      say(lines.join('\n'), tool('Read', { file_path: 'none.txt' })),
      text('Done.'),
    ]);

    const shown = status['recentOutput'] as string[];
    expect(shown).toContain('line 799');
    expect(carriedChars(JSON.stringify(status))).toBeGreaterThan(maxResultChars * 0.9);
  });
});

it('with the six tools, lines that an answer leaves out after a cursor are read, also after the first one', async () => {
  const { server, model, sandbox } = await startInProcess({ era: 'modern', env: serving['six tools'] });
  const held = createGate();
  const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n');
  model.when('say it', [gate(held, say(lines, tool('Bash', { command: 'ls' }))), text('End.')]);
  const created = await server.call('claude_create_session', {
    prompt: 'say it',
    workingDirectory: sandbox.project,
  });
  const { sessionId } = created.json;
  await held.reached;
  const first = await server.call('claude_get_status', { sessionId });

  held.open();
  const news = await until('the turn ends', async () => {
    const { json } = await server.call('claude_get_status', { sessionId, cursor: first.json.cursor });
    return json.status === 'completed' && (json as unknown as Json);
  });
  const output = await run(server, news['readMoreOutput']);

  expect(first.json.cursor).toBe(0);
  expect(output['text']).toBe(`${lines}\nEnd.`);
});

it('with the six tools, long prompts that an earlier server has not run are read to their end', async () => {
  const held = createGate();
  const scene = await startInProcess({ era: 'modern' });
  scene.model.when('talk', [gate(held, text('Done.'))]);
  const { json } = await scene.server.call('claude_code', { prompt: 'talk', cwd: scene.sandbox.project });
  const { sessionId } = json;
  await held.reached;
  for (const prompt of [long, 'a short one'])
    await scene.server.call('claude_code_reply', { sessionId, prompt, whenBusy: 'queue' });
  const { server } = await restartInProcess(scene, { era: 'modern', env: serving['six tools'] });

  const { readMoreKeptPrompts } = jsonOf(await server.call('claude_get_status', { sessionId }));

  const whole = await readOn(server, readMoreKeptPrompts, resultOffset);
  expect(JSON.parse(whole)).toEqual([long, 'a short one']);
});

describe('with a query alone', () => {
  const ask = async (steps: Parameters<Scene['model']['when']>[1]) => {
    const scene = await startInProcess({ era: 'modern', env: serving.query });
    scene.model.when('work', steps);
    const { server, sandbox } = scene;
    const reply = await server.call('claude_code_query', {
      prompt: 'work',
      cwd: sandbox.project,
      allowedTools: ['Write'],
    });
    return { server, json: jsonOf(reply) };
  };

  it('a long result is read to its end', async () => {
    const { server, json } = await ask([text(long)]);
    const { readMore, summary } = json['result'] as Json;

    const rest = await readOn(server, readMore, resultOffset, offsetOf(readMore));

    expect(String(summary).slice(0, offsetOf(readMore)) + rest).toBe(long);
  });

  it('every message is read to its end, by the uuid under which the answer showed it', async () => {
    const { server, json } = await ask([tool('Write', { file_path: 'a.txt', content: long }), text('Done.')]);
    const { next } = json['truncation'] as Json;
    const shown = (json['messages'] as Json[]).find(({ type }) => type === 'assistant');

    const page = await run(server, next);
    const calling = (page['messages'] as Json[]).find(({ tools }) => tools !== undefined);
    const sessionId = String(json['sessionId']);
    const call = `claude_code_query ${JSON.stringify({ sessionId, messageId: calling?.['uuid'] })}`;
    const whole = await readOn(server, call, resultOffset);

    expect(calling?.['uuid']).toBe(shown?.['uuid']);
    expect(JSON.parse(whole.replace(/^Write /, ''))).toMatchObject({ content: long });
  });

  it('a page of a result or a message that begins inside a word shows the rest of the word', async () => {
    const names = 'task-0a1b2c3d4e5f60718293 '.repeat(1_000).trim();
    const { server, json } = await ask([text(names)]);
    const sessionId = String(json['sessionId']);
    const resultOffset = names.indexOf('sk-', 10_000);
    const { messages } = await run(server, (json['truncation'] as Json)['next']);
    const messageId = (messages as Json[]).at(-1)?.['uuid'];

    const pages = await Promise.all(
      [{ resultOffset }, { messageId, resultOffset }].map((place) =>
        run(server, `claude_code_query ${JSON.stringify({ sessionId, ...place })}`),
      ),
    );

    for (const page of pages) expect(names.slice(resultOffset)).toContain(String(page['text']));
  });

  it('the messages of a long conversation are paged to the last', async () => {
    const { server, json } = await ask([
      ...Array.from({ length: 80 }, (_, index) =>
        tool('Write', { file_path: `${index}.txt`, content: 'x'.repeat(100) }),
      ),
      text('Done.'),
    ]);
    const { next } = json['truncation'] as Json;
    const seen: unknown[] = [];
    let offset: number | undefined = 0;
    let total = 0;
    while (offset !== undefined) {
      const page = await run(server, next, { messageOffset: offset });
      seen.push(...(page['messages'] as Json[]).map(({ uuid }) => uuid));
      offset = page['nextOffset'] as number | undefined;
      total = page['total'] as number;
    }

    expect(total).toBeGreaterThan(160);
    expect(new Set(seen).size).toBe(total);
  });

  it('refuses a prompt together with a session to read, and neither of them', async () => {
    const { server, json } = await ask([text('Done.')]);
    const { sessionId } = json;

    const both = await server.call('claude_code_query', { prompt: 'again', sessionId });
    const none = await server.call('claude_code_query', { messageOffset: 0 });
    const files = await server.call('claude_code_query', { sessionId, attachments: ['a.txt'] });

    expect(both.text).toMatch(/^Error \[INVALID_ARGUMENT\]: exactly one of prompt and sessionId is required/);
    expect(none.text).toBe(both.text);
    expect(files.text).toMatch(/: attachments cannot be used with sessionId\. Leave it out\.$/);
  });
});

type Scene = Awaited<ReturnType<typeof startInProcess>>;
