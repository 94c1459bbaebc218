import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBackstage } from '../kit/fixture.js';
import { logLines } from '../kit/log-lines.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import { createSandbox, type Sandbox } from '../kit/sandbox.js';
import { connectServer, type Era } from '../kit/server-client.js';
import { serverEntry } from '../kit/server-entry.js';

const ofServer = 'srv-7Qx9-PLANTED-k2Lm';
const ofCaller = 'clr-5Zz1-PLANTED-w8Np';
const inPrompt = 'sk-ant-api03-PLANTED0123456789abcdef';

type Line = Readonly<Record<string, unknown>>;

function auditPath({ root }: Sandbox): string {
  const folder = join(root, 'var');
  mkdirSync(folder, { recursive: true });
  return join(folder, 'audit.jsonl');
}

function linesIn(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** `claude-code-mcp audit verify`, as an operator runs it. */
function verify(sandbox: Sandbox, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [serverEntry, 'audit', 'verify', '--audit-log', auditPath(sandbox), ...args],
    { env: sandbox.env(), encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

/** A server with an audit log; `again` is the next one on the same machine. */
async function audited(era: Era, more: { env?: Record<string, string>; capabilities?: object } = {}) {
  const { model, sandbox } = await startBackstage();
  const path = auditPath(sandbox);
  const connect = async (args: readonly string[] = []) => {
    const server = await connectServer({
      sandbox,
      model,
      era,
      args,
      env: { CLAUDE_CODE_MCP_AUDIT_LOG: path, ...more.env },
      capabilities: more.capabilities ?? {},
    });
    onTestFinished(() => server.close());
    return server;
  };
  return { model, sandbox, path, connect };
}

describe('an audit log', () => {
  const era = 'modern';
  it('tells who did what and how it ended, without secrets, over a restart, and is good', async () => {
    const env = { MY_API_TOKEN: ofServer, CLAUDE_CODE_MCP_CALLER_TRUST: 'full' };
    const { model, sandbox, path, connect } = await audited(era, { env });
    model.when('go', [tool('Bash', { command: `echo ${ofServer} > a.txt` }), text('done')]);
    model.when('again', [text('done again')]);

    const first = await connect();
    const { json: started } = await first.call('claude_code', {
      prompt: `go with ${inPrompt}`,
      waitMs: 20_000,
      advanced: { env: { CALLER_VALUE: ofCaller } },
    });
    const { sessionId } = started;
    const { requestId = '' } = started.actions?.[0] ?? {};
    await first.call('claude_code_respond', { requestId, decision: 'allow', waitMs: 20_000 });
    await first.call('claude_code_check', { sessionId });
    const refused = await first.call('claude_code', { prompt: 'x', cwd: sandbox.home });
    await first.close();
    const second = await connect();
    await second.call('claude_code_reply', { sessionId, prompt: 'again', waitMs: 20_000 });
    await second.close();

    const who = { clientId: 'stdio', client: `kit-${era} 1.0.0`, era };
    const lines = linesIn(path);
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]/);
    expect(lines).toMatchObject([
      {
        seq: 1,
        what: 'prompt_given',
        sessionId,
        cwd: sandbox.project,
        options: { permissionMode: 'default' },
        withheld: ['env'],
        ...who,
      },
      { what: 'tool_call', tool: 'claude_code', code: 'ok', sessionId, ...who },
      {
        what: 'input_settled',
        sessionId,
        requestId,
        summary: 'Bash: echo [redacted] > a.txt',
        decision: 'allow',
        answeredBy: 'caller',
        callId: expect.any(String),
        ...who,
      },
      { what: 'turn_ended', sessionId, turn: 1, outcome: 'completed', costUsd: expect.any(Number) },
      { what: 'tool_call', tool: 'claude_code_respond', code: 'ok', requestId, decision: 'allow', sessionId },
      { what: 'tool_call', tool: 'claude_code', code: 'PERMISSION_DENIED', reason: expect.anything() },
      { what: 'prompt_given', sessionId },
      { what: 'turn_ended', sessionId, turn: 2 },
      { seq: 9, what: 'tool_call', tool: 'claude_code_reply', code: 'ok', sessionId },
    ]);
    expect(readFileSync(path, 'utf8')).not.toContain('PLANTED');
    expect(first.stderr() + second.stderr()).not.toContain('PLANTED');
    expect(verify(sandbox)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^good {2}.*audit\.jsonl: 9 lines, head 0{15}9:[0-9a-f]{64}\n$/),
    });
  });

  it('tells of a person who allows', async () => {
    const { model, path, connect } = await audited(era, { capabilities: formCapability });
    const server = await connect();
    seatPerson(server, () => accept({ decision: 'allow' }));
    model.when('go', [tool('Bash', { command: 'echo hi > a.txt' }), text('done')]);

    const { json } = await server.call('claude_code', { prompt: 'go', waitMs: 20_000 });

    expect(json).toMatchObject({ status: 'idle', result: { result: 'done' } });
    expect(linesIn(path).filter(({ what }) => what === 'input_settled')).toMatchObject([
      {
        decision: 'allow',
        answeredBy: 'elicitation',
        clientId: 'stdio',
        client: `kit-${era} 1.0.0`,
        era,
      },
    ]);
  });
});

describe('audit verify', () => {
  async function written(): Promise<{ sandbox: Sandbox; path: string; heads: string[] }> {
    const { sandbox, path, connect } = await audited('modern');
    const server = await connect();
    for (const action of ['interrupt', 'cancel', 'get', 'list']) {
      await server.call('claude_code_session', { action });
    }
    await server.close();
    const heads = logLines(server.stderr()).flatMap(({ message, head }) =>
      message === 'audit head' ? [String(head)] : [],
    );
    return { sandbox, path, heads };
  }

  it('names the first line that was changed', async () => {
    const { sandbox, path } = await written();
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, before.replace('"action":"cancel"', '"action":"harmless"'));

    const { status, stdout } = verify(sandbox);

    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: `BAD   ${path}:2 was changed, or does not belong to this log\n`,
    });
  });

  it('finds a cut end by itself, and tells it to programs', async () => {
    const { sandbox, path } = await written();
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n`);

    const { status, stdout } = verify(sandbox, '--json');

    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      isGood: false,
      chains: [{ lines: 3, problem: { line: 4, what: expect.stringContaining('line number 4 is missing') } }],
    });
  });

  it('takes a head that the log has told', async () => {
    const { sandbox, heads } = await written();

    expect(heads).toHaveLength(2);
    expect(verify(sandbox, '--head', heads[1] ?? '').status).toBe(0);
    expect(verify(sandbox, '--head', `9:${'0'.repeat(64)}`)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('lines number 5 to 9 are missing'),
    });
    expect(verify(sandbox, '--head', 'x')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--head x: must be the head'),
    });
  });

  it('does not call bad what it cannot read', async () => {
    const { sandbox, path } = await written();
    rmSync(path);
    mkdirSync(path);

    expect(verify(sandbox)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^claude-code-mcp: .*audit\.jsonl: cannot be checked \(EISDIR.*\)\. Run the command/,
      ),
    });
  });

  it('says what is missing where it cannot check', () => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.remove());

    const withoutLog = verify(sandbox);
    writeFileSync(auditPath(sandbox), '');

    expect(withoutLog).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('audit log not found. Check --audit-log.'),
    });
    expect(verify(sandbox)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the key of the audit log is missing. Check --state-dir.'),
    });
  });
});

describe('an audit log in a bad place', () => {
  it.each<[string, (sandbox: Sandbox) => Record<string, string>, RegExp]>([
    [
      'is in ROOTS',
      ({ project }) => ({
        CLAUDE_CODE_MCP_AUDIT_LOG: join(project, 'audit.jsonl'),
        CLAUDE_CODE_MCP_ROOTS: project,
      }),
      /CLAUDE_CODE_MCP_AUDIT_LOG=.*must not be in a folder in which sessions work/,
    ],
    [
      'is a link',
      (sandbox) => {
        symlinkSync(join(sandbox.root, 'elsewhere'), auditPath(sandbox));
        return { CLAUDE_CODE_MCP_AUDIT_LOG: auditPath(sandbox) };
      },
      /it is a symbolic link/,
    ],
    [
      'has no folder',
      ({ root }) => ({ CLAUDE_CODE_MCP_AUDIT_LOG: join(root, 'nowhere', 'audit.jsonl') }),
      /its folder does not exist/,
    ],
    [
      'is not named',
      () => ({ CLAUDE_CODE_MCP_AUDIT_REQUIRED: '1' }),
      /an audit log is required but not configured/,
    ],
  ])('stops the start when it %s', (_, envOf, words) => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.remove());

    const { status, stderr } = spawnSync(process.execPath, [serverEntry], {
      env: { ...sandbox.env(), ...envOf(sandbox) },
      encoding: 'utf8',
      input: '',
    });

    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(words) });
  });

  it('is not where a session works', async () => {
    const { sandbox } = await startBackstage();
    const server = await connectServer({
      sandbox,
      era: 'modern',
      env: { CLAUDE_CODE_MCP_AUDIT_LOG: join(sandbox.project, 'audit.jsonl') },
    });
    onTestFinished(() => server.close());

    const { text: words } = await server.call('claude_code', { prompt: 'go', cwd: sandbox.project });

    expect(words).toMatch(/^Error \[PERMISSION_DENIED\].*it contains the audit log/);
  });
});

describe('several servers with one audit log', () => {
  it('write a chain each, and the next ones go on with them, also after a kill', async () => {
    const { sandbox, path, connect } = await audited('legacy');
    const refuse = (server: Awaited<ReturnType<typeof connect>>) =>
      server.call('claude_code_session', {
        action: 'cancel',
        sessionId: '0af76519-16cd-43dd-8448-eb211c80319c',
      });

    const [first, second] = [await connect(), await connect()];
    await Promise.all([refuse(first), refuse(second)]);
    first.kill('SIGKILL');
    await first.exited;
    await second.close();
    const third = await connect();
    await refuse(third);
    await third.close();

    expect(linesIn(path)).toMatchObject([
      { seq: 1, code: 'SESSION_NOT_FOUND' },
      { seq: 2, code: 'SESSION_NOT_FOUND' },
    ]);
    expect(verify(sandbox)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/audit\.jsonl: 2 lines.*\n.*audit\.2\.jsonl: 1 line,/),
    });
  });
});
