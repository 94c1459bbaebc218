import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';
import type { Sandbox } from '../kit/sandbox.js';
import { human, start, wants, writeUserSettings } from '../kit/approval-moves.js';

describe('a folder in ROOTS', () => {
  it('bounds what a caller may have read in advance', async () => {
    const scene = await startInProcess({
      era: 'modern',
      envFor: ({ project }) => ({ CLAUDE_CODE_MCP_ROOTS: project }),
    });
    const file_path = join(scene.sandbox.root, 'outside.txt');
    writeFileSync(file_path, 'outside');
    wants(scene, tool('Read', { file_path }));

    const asked = await start(scene, { allowedTools: ['Read'] });

    expect(asked.json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName: 'Read', reason: "This path is outside the session's folders" }],
    });
  });

  it.each<[string, string, (project: string, notes: string) => Record<string, unknown>]>([
    ['the home folder by its sign', 'Grep', () => ({ pattern: 'secret', path: '~/notes' })],
    ['a folder after a blank', 'Grep', (_project, notes) => ({ pattern: 'secret', path: ` ${notes}` })],
    ['a pattern beside a path', 'Glob', (path, notes) => ({ pattern: join(notes, '*.txt'), path })],
    ['a pattern through a link', 'Glob', (path) => ({ pattern: join(path, 'link', '**', '*.txt') })],
  ])('bounds it by where Claude Code would look: %s', async (_way, toolName, input) => {
    const scene = await startInProcess({
      era: 'modern',
      envFor: ({ project }) => ({ CLAUDE_CODE_MCP_ROOTS: project }),
    });
    const { home, project } = scene.sandbox;
    const notes = join(home, 'notes');
    mkdirSync(notes);
    writeFileSync(join(notes, 'outside.txt'), 'secret');
    symlinkSync(notes, join(project, 'link'));
    wants(scene, tool(toolName, input(project, notes)));

    const asked = await start(scene, { allowedTools: ['Grep', 'Glob'] });

    expect(asked.json).toMatchObject({
      status: 'waiting',
      actions: [{ toolName, reason: "This path is outside the session's folders" }],
    });
  });

  it('bounds what a caller allows in advance with an answer', async () => {
    const scene = await startInProcess({
      era: 'modern',
      envFor: ({ project }) => ({ CLAUDE_CODE_MCP_ROOTS: project }),
    });
    const file_path = join(scene.sandbox.root, 'outside.txt');
    writeFileSync(file_path, 'outside');
    wants(scene, tool('Bash', { command: 'touch a.txt' }), tool('Read', { file_path }));
    const { actions = [] } = (await start(scene)).json;

    const asked = await scene.server.call('claude_code_respond', {
      requestId: actions[0]?.requestId,
      decision: 'allow',
      updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Read' }] }],
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ toolName: 'Read' }] });
  });

  it('is refused where it holds the files of Claude Code', async () => {
    const scene = await startInProcess({ era: 'modern' });

    const started = await start(scene, { cwd: scene.sandbox.home });

    expect(started.text).toMatch(/^Error \[PERMISSION_DENIED\]: cwd /);
  });
});

describe.each([
  ['ROOTS', ({ project }: Sandbox) => ({ CLAUDE_CODE_MCP_ROOTS: project, CLAUDE_CODE_MCP_APPROVALS: 'any' })],
  ['human', () => human],
  ['PREALLOW', () => ({ CLAUDE_CODE_MCP_PREALLOW: 'Bash,Read,Edit', CLAUDE_CODE_MCP_APPROVALS: 'any' })],
])('with %s', (_setting, envFor) => {
  it('no rule that a caller pre-approves reaches outside the folders', async () => {
    const scene = await startInProcess({ era: 'modern', envFor });
    const rules = ['Read(//**)', 'Read(~/**)', 'Read(../**)', 'Glob(//etc/**)', 'Grep(//etc/**)'];

    for (const rule of rules) {
      const refused = await start(scene, { allowedTools: ['Read', rule] });
      expect(refused.text).toContain(`allowedTools "${rule}" is not allowed: it reaches outside`);
    }
    expect(scene.model.requests()).toEqual([]);
  });

  it('a tool that a caller pre-approves reads only inside them', async () => {
    const scene = await startInProcess({ era: 'modern', envFor, capabilities: formCapability });
    const { project, root } = scene.sandbox;
    const inside = join(project, 'a.txt');
    const outside = join(root, 'outside.txt');
    for (const file of [inside, outside]) writeFileSync(file, 'text');
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));
    wants(scene, tool('Read', { file_path: inside }), tool('Read', { file_path: outside }));

    const done = await start(scene, { allowedTools: ['Read'] });

    expect(done.json.status).toBe('idle');
    expect(person.forms.map(({ message }) => message)).toEqual([expect.stringContaining(outside)]);
  });
});

describe('with human', () => {
  it('a command that reads outside the folders needs approval, even if an allow rule covers it', async () => {
    const scene = await startInProcess({ era: 'modern', env: human, capabilities: formCapability });
    writeUserSettings(scene, { permissions: { allow: ['Bash(cat *)'] } });
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));
    wants(scene, tool('Bash', { command: 'cat /etc/hostname' }), tool('Bash', { command: 'pwd' }));

    const done = await start(scene);

    expect(done.json.status).toBe('idle');
    expect(person.forms.map(({ message }) => message)).toEqual([
      expect.stringContaining('cat /etc/hostname'),
    ]);
  });
});

describe('where a person can be asked', () => {
  it('a command that could read files that it does not name is shown to the person', async () => {
    const scene = await startInProcess({ era: 'modern', capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));
    const commands = ['cat --unknown /etc/hostname', 'ls -la'];
    wants(scene, ...commands.map((command) => tool('Bash', { command })));

    const done = await start(scene);

    expect(done.json.status).toBe('idle');
    expect(person.forms.map(({ message }) => message)).toEqual([
      expect.stringContaining('can read files that it does not name'),
    ]);
  });
});

describe('a command that a caller has given as a variable or header before', () => {
  const command = 'touch$IFS$9pwned.txt;id';

  it.each([
    ['in a call that was refused', { env: { FOO: command } }],
    ['as a harmless variable', { env: { LANG: command } }],
    [
      'as a header',
      { mcpServers: { x: { type: 'http', url: 'https://example.com/', headers: { A: command } } } },
    ],
  ])('is shown to the person all the same, %s', async (_how, advanced) => {
    const scene = await startInProcess({ era: 'legacy', env: human, capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));
    wants(scene, text('hello'));
    await start(scene, { advanced });
    wants(scene, tool('Bash', { command }));

    await start(scene);

    expect(person.forms.at(-1)?.message).toContain(command);
  });
});

describe('a list of what may run without approval', () => {
  it('is a ceiling for modes too', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_PREALLOW: 'Read' } });

    const started = await start(scene, { permissionMode: 'acceptEdits' });

    expect(started.text).toMatch(/^Error \[PERMISSION_DENIED\]: permissionMode "acceptEdits".*PREALLOW/);
  });

  it('is a ceiling for what is allowed for the session: the same call, and no rule of Claude Code', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_PREALLOW: 'Read' } });
    wants(scene, tool('Bash', { command: 'npm run one' }), tool('Bash', { command: 'npm run two' }));
    const [action] = (await start(scene)).json.actions ?? [];

    const other = await scene.server.call('claude_code_respond', {
      requestId: action?.requestId,
      decision: 'allow_for_session',
    });

    expect(action).not.toHaveProperty('grant');
    expect(other.json).toMatchObject({ status: 'waiting', actions: [{ input: { command: 'npm run two' } }] });
  });

  it('is a ceiling for rules that were granted before there was a list', async () => {
    const before = await startInProcess({ era: 'modern' });
    wants(before, tool('Bash', { command: 'npm run one' }));
    const { sessionId, actions = [] } = (await start(before)).json;
    await before.server.call('claude_code_respond', {
      requestId: actions[0]?.requestId,
      decision: 'allow_for_session',
    });
    const scene = await restartInProcess(before, {
      era: 'modern',
      env: { CLAUDE_CODE_MCP_PREALLOW: 'Read' },
    });
    wants(scene, tool('Bash', { command: 'npm run two' }));

    const asked = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      waitMs: 20_000,
    });

    expect(asked.json).toMatchObject({ status: 'waiting', actions: [{ input: { command: 'npm run two' } }] });
  });
});

describe('a list of modes for callers', () => {
  it('bounds a start, a reply, a change and an answer, and always leaves the default', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_CALLER_MODES: 'plan' } });
    const { server } = scene;
    wants(scene, tool('Bash', { command: 'touch a.txt' }), text('over'));
    const asked = await start(scene, { permissionMode: 'default' });
    const { sessionId, actions = [] } = asked.json;
    const mode = { permissionMode: 'acceptEdits' };
    const answer = { requestId: actions[0]?.requestId, decision: 'allow' };

    const refused = [
      await start(scene, mode),
      await server.call('claude_code_reply', { sessionId, prompt: 'x', diskResumeConfig: mode }),
      await server.call('claude_code_session', { action: 'configure', sessionId, ...mode }),
      await server.call('claude_code_respond', {
        ...answer,
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      }),
    ];
    const done = await server.call('claude_code_respond', answer);
    const planned = await start(scene, { permissionMode: 'plan' });

    for (const { text: words } of refused)
      expect(words).toMatch(/^Error \[PERMISSION_DENIED\]: .*"acceptEdits".*CLAUDE_CODE_MCP_CALLER_MODES/s);
    expect(done.json.status).toBe('idle');
    expect(planned.isError).toBe(false);
  });
});

describe('an MCP server of a caller', () => {
  const url = 'https://mcp.example.com/';

  it.each([
    ['the user lets run without approval', { permissions: { allow: ['mcp__notes__read'] } }, {}],
    ['the operator lets run without approval', {}, { CLAUDE_CODE_ALLOWED_TOOLS: 'Read,mcp__notes' }],
  ])('does not get what %s for another of its name', async (_whose, settings, env) => {
    const scene = await startInProcess({ era: 'modern', env });
    writeUserSettings(scene, settings);

    const taken = await start(scene, { advanced: { mcpServers: { notes: { type: 'http', url } } } });

    expect(taken.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: mcpServers\.notes is not allowed: the rule "mcp__notes/,
    );
  });
});

describe('a session whose record is damaged', () => {
  it('does not begin anew as if it were unknown', async () => {
    const scene = await startInProcess({ era: 'modern', env: { CLAUDE_CODE_MCP_SESSION_TTL_MS: '1000' } });
    wants(scene, text('hello'));
    const { sessionId } = (await start(scene)).json;
    await scene.server.close();
    const folder = join(scene.sandbox.stateDir, 'sessions');
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.jsonl')))
      writeFileSync(join(folder, name), '{');
    const { server } = await restartInProcess(scene, { era: 'modern' });

    const replied = await server.call('claude_code_reply', { sessionId, prompt: 'do it' });

    expect(replied.text).toMatch(/^Error \[UNAVAILABLE\]: the record of session .* is damaged/);
    expect(scene.model.requests(sessionId)).toHaveLength(1);
  });
});

describe('bypassPermissions that was enabled for a while', () => {
  it.each([
    ['while its process lives', 0],
    ['when its process is gone', 50],
  ])('is not for a session that began without it, %s', async (_when, restMs) => {
    const scene = await startInProcess({
      era: 'modern',
      env: { CLAUDE_CODE_MCP_TOOLSETS: 'async,configure', CLAUDE_CODE_MCP_IDLE_PROCESS_MS: '50' },
    });
    const refusal = /^Error \[PERMISSION_DENIED\]: only new sessions can use bypassPermissions/;
    const bypassing = { permissionMode: 'bypassPermissions' };
    wants(scene, text('hello'));
    const { sessionId } = (await start(scene)).json;
    if (restMs > 0) await scene.clock.pass(restMs);
    await scene.server.call('claude_code_configure', { action: 'enable_bypass' });

    const configured = await scene.server.call('claude_code_session', {
      action: 'configure',
      sessionId,
      ...bypassing,
    });
    const replied = await scene.server.call('claude_code_reply', {
      sessionId,
      prompt: 'do it',
      diskResumeConfig: bypassing,
    });

    expect(configured.text).toMatch(refusal);
    expect(replied.text).toMatch(refusal);
    expect(scene.world.launches).toHaveLength(1);
  });
});
