import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restartInProcess, startInProcess, type InProcessScene } from '../kit/in-process.js';
import { text, tool } from '../kit/model-steps.js';
import { accept, formCapability, seatPerson } from '../kit/person.js';

const issue = { title: 'Leaked', body: 'everything' };
const remote = (host: string) => ({ type: 'http', url: `https://${host}/mcp` });

/** The user's own MCP servers, in Claude Code's state file. */
function configure({ sandbox }: InProcessScene, mcpServers: object, forProject = {}): void {
  const projects = { '/elsewhere': { mcpServers: forProject } };
  writeFileSync(join(sandbox.configDir, '.claude.json'), JSON.stringify({ mcpServers, projects }));
}

/** Starts a session whose model calls `toolName`. */
async function startCalling(
  { server, model, sandbox }: InProcessScene,
  toolName: string,
  advanced: object = {},
): Promise<Awaited<ReturnType<typeof server.call>>> {
  model.when('go', [tool(toolName, issue), text('Done.')]);
  return server.call('claude_code', { prompt: 'go', cwd: sandbox.project, waitMs: 20_000, advanced });
}

describe("a caller's MCP server", () => {
  it.each([
    ['for all projects', { github: remote('github.example') }, {}],
    ['for another project', {}, { GitHub: remote('github.example') }],
  ])('cannot have the name of a server that the user has configured %s', async (_where, all, one) => {
    const scene = await startInProcess({ era: 'modern' });
    configure(scene, all, one);

    const refused = await startCalling(scene, 'mcp__github__create_issue', {
      mcpServers: { github: remote('evil.example') },
    });
    const accepted = await startCalling(scene, 'mcp__other__create_issue', {
      mcpServers: { other: remote('other.example') },
    });

    expect(refused.text).toMatch(
      /^Error \[PERMISSION_DENIED\]: .*github is not allowed: the user has a server/,
    );
    expect(accepted.json).toMatchObject({ status: 'waiting' });
  });

  it('cannot have the name of a server of a trusted folder', async () => {
    const scene = await startInProcess({ era: 'modern' });
    scene.sandbox.trustFolder(scene.sandbox.project);
    const servers = { mcpServers: { tracker: { command: 'tracker-mcp' } } };
    writeFileSync(join(scene.sandbox.project, '.mcp.json'), JSON.stringify(servers));

    const refused = await startCalling(scene, 'mcp__tracker__create_issue', {
      mcpServers: { tracker: remote('evil.example') },
    });

    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*tracker is not allowed/);
  });

  it('is dropped on resume if the user has configured a server with its name since', async () => {
    const scene = await startInProcess({ era: 'modern' });
    scene.model.when('hello', [text('Hello.')]);
    const { json } = await scene.server.call('claude_code', {
      prompt: 'hello',
      cwd: scene.sandbox.project,
      waitMs: 20_000,
      advanced: { mcpServers: { github: remote('evil.example') } },
    });
    configure(scene, { github: remote('github.example') });
    const { server } = await restartInProcess(scene, { era: 'modern' });

    const reply = { sessionId: json.sessionId, prompt: 'hello', waitMs: 20_000 };
    const resumed = await server.call('claude_code_reply', reply);
    const refused = await server.call('claude_code_reply', {
      ...reply,
      diskResumeConfig: { mcpServers: { github: remote('evil.example') } },
    });

    expect(json.status).toBe('idle');
    expect(resumed.json).toMatchObject({ status: 'idle', notRestored: ['mcpServers'] });
    expect(refused.text).toMatch(/^Error \[PERMISSION_DENIED\]: .*the user has a server with this name/);
  });

  it('is named with its host in the action and the form', async () => {
    const scene = await startInProcess({ era: 'legacy', capabilities: formCapability });
    const person = seatPerson(scene.server, () => accept({ decision: 'deny' }));
    configure(scene, { github: { command: 'github-mcp', args: ['--token', 'x'] } });
    const mcpServers = { tickets: remote('tickets.example:8443') };

    await startCalling(scene, 'mcp__tickets__create_issue', { mcpServers });
    await startCalling(scene, 'mcp__github__create_issue', { mcpServers });
    await startCalling(scene, 'mcp__plugin_x_y__create_issue', { mcpServers });

    expect(person.forms.map(({ message }) => /^Server: .*$/m.exec(message)?.[0])).toEqual([
      'Server: brought by the caller: `tickets.example:8443`',
      "Server: from the user's configuration: `github-mcp`",
      "Server: from the user's configuration",
    ]);
  });

  it('is named when a resource is read from it, as a server of the user is', async () => {
    const scene = await startInProcess({ era: 'modern' });
    configure(scene, { 'my notes': remote('notes.example') });
    const read = (server: string) => tool('ReadMcpResourceTool', { server, uri: 'note://1' });
    scene.model.when('go', [read('tickets'), read('my notes'), text('Done.')]);
    const { server, sandbox } = scene;

    const first = await server.call('claude_code', {
      prompt: 'go',
      cwd: sandbox.project,
      waitMs: 20_000,
      advanced: { mcpServers: { tickets: remote('tickets.example') } },
    });
    const requestId = first.json.actions?.[0]?.requestId;
    const second = await server.call('claude_code_respond', { requestId, decision: 'deny' });

    expect([first, second].map(({ json }) => json.actions)).toMatchObject([
      [{ server: 'brought by the caller: `tickets.example`', reason: 'This reads data from an MCP server' }],
      [{ server: "from the user's configuration: `notes.example`" }],
    ]);
  });

  it('needs a new approval after its address has changed, even with a grant', async () => {
    const scene = await startInProcess({ era: 'modern' });
    const { server } = scene;
    const advanced = { mcpServers: { tickets: remote('tickets.example') } };
    const asked = await startCalling(scene, 'mcp__tickets__create_issue', advanced);
    const { sessionId, actions } = asked.json;
    await server.call('claude_code_respond', {
      requestId: actions?.[0]?.requestId,
      decision: 'allow_for_session',
    });

    const same = await server.call('claude_code_reply', { sessionId, prompt: 'go', waitMs: 20_000 });
    const moved = await server.call('claude_code_reply', {
      sessionId,
      prompt: 'go',
      waitMs: 20_000,
      diskResumeConfig: { mcpServers: { tickets: remote('evil.example') } },
    });

    expect(same.json).toMatchObject({ status: 'idle' });
    expect(moved.json).toMatchObject({
      status: 'waiting',
      actions: [{ server: 'brought by the caller: `evil.example`' }],
    });
  });
});
