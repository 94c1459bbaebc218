import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { text, tool } from '../../kit/model-steps.js';
import { processesOf, startRunAs, userFolder, type RunAsScene } from '../../kit/run-as.js';
import { canRunAs } from '../../kit/system-users.js';
import { until } from '../../kit/until.js';

const secret = 'the heron is in the attic';

function projectFolder({ sandbox }: RunAsScene, principal: 'alice' | 'bob'): string {
  const projects = join(userFolder(sandbox, principal, 'claude'), 'projects');
  const [project = ''] = readdirSync(projects);
  return join(projects, project);
}

/** What a caller can learn about a conversation on disk without continuing it. */
async function lookAt({ clients }: RunAsScene, sessionId: string): Promise<string> {
  const { call } = clients.alice;
  const answers = [
    await call('claude_code_session', { action: 'transcript', sessionId }),
    await call('claude_code_session', { action: 'list', scope: 'all' }),
    await call('claude_code_session', { action: 'list', scope: 'all', query: 'heron' }),
    await call('claude_code_check', { sessionId }),
  ];
  return answers.map((answer) => answer.text).join('\n');
}

async function continueIt({ clients }: RunAsScene, sessionId: string): Promise<string> {
  const { call } = clients.alice;
  const reply = { sessionId, prompt: 'what was said?', waitMs: 20_000 };
  const answers = [
    await call('claude_code_reply', reply),
    await call('claude_code_reply', { ...reply, forkSession: true }),
  ];
  return answers.map((answer) => answer.text).join('\n');
}

describe.skipIf(!canRunAs)('an agent with its own user', () => {
  it('cannot make the service read the conversation of another principal through a link', async () => {
    const scene = await startRunAs('agent-sdk');
    const { sessionId: his } = await scene.run('bob', `echo ${secret}`);
    const { sessionId: hers } = await scene.run('alice', 'echo of alice');
    const [hisFolder, herFolder] = [projectFolder(scene, 'bob'), projectFolder(scene, 'alice')];
    const copy = randomUUID();

    await scene.run(
      'alice',
      [
        `ln -s '${hisFolder}/${his}.jsonl' '${herFolder}/${his}.jsonl'`,
        `ln -s '${hisFolder}' '${herFolder}/../-linked'`,
        `ln -s '${herFolder}/${hers}.jsonl' '${herFolder}/${copy}.jsonl'`,
        `ln '${hisFolder}/${his}.jsonl' '${herFolder}/hard.jsonl'`,
      ].join('; '),
    );
    const own = await lookAt(scene, copy);
    const learned = [await lookAt(scene, his), await continueIt(scene, his)].join('\n');

    expect(readdirSync(herFolder)).toContain(`${his}.jsonl`);
    expect(own).toContain('of alice');
    expect(learned).not.toContain('heron is in');
    expect(learned.match(/^Error \[SESSION_NOT_FOUND\]/gm)).toHaveLength(4);
    const containing = scene.model.requests().filter(({ body }) => JSON.stringify(body).includes(secret));
    expect(containing).toEqual(scene.model.requests(his).slice(-1));
  });

  it('cannot make the service read the conversation of another principal in place of its own', async () => {
    const scene = await startRunAs('agent-sdk');
    const { sessionId: his } = await scene.run('bob', `echo ${secret}`);
    const { sessionId: hers } = await scene.run('alice', 'echo of alice');
    const [hisFolder, herFolder] = [projectFolder(scene, 'bob'), projectFolder(scene, 'alice')];
    const before = await lookAt(scene, hers);

    await scene.run(
      'alice',
      [
        `ln -sf '${hisFolder}/${his}.jsonl' '${herFolder}/${hers}.jsonl'`,
        `cd "$CLAUDE_CONFIG_DIR" && mv projects old && ln -s '${hisFolder}/..' projects`,
      ].join('; '),
    );
    const moved = [await lookAt(scene, his), await lookAt(scene, hers), await continueIt(scene, his)];

    expect(readlinkSync(join(userFolder(scene.sandbox, 'alice', 'claude'), 'projects'))).toContain('/bob/');
    expect(before).toContain('of alice');
    expect(moved.join('\n')).not.toContain('heron is in');
  });

  it('cannot stop the service with pipes, endless files and other settings', async () => {
    const scene = await startRunAs('agent-sdk');
    const { sessionId } = await scene.run('alice', 'echo before');
    const [huge, pipe] = [randomUUID(), randomUUID()];
    const folder = projectFolder(scene, 'alice');
    await scene.run(
      'alice',
      [
        `truncate -s 1T '${folder}/${huge}.jsonl'`,
        `mkfifo '${folder}/${pipe}.jsonl'`,
        'cd "$CLAUDE_CONFIG_DIR"',
        'rm -f settings.json history.jsonl',
        'mkfifo settings.json history.jsonl',
        `ln -s '${scene.sandbox.stateDir}/tokens.json' sessions/x.json`,
      ].join('; '),
    );

    const answers = await Promise.all(
      [sessionId, pipe, huge].map((id) =>
        scene.clients.alice.call('claude_code_session', { action: 'transcript', sessionId: id }),
      ),
    );
    const listed = await scene.clients.alice.call('claude_code_session', { action: 'list', scope: 'all' });
    const after = await scene.run('bob', 'echo after');

    expect(answers[0]?.text).toContain('"text":"before"');
    expect(answers[1]?.text).toMatch(/^Error/);
    expect(listed.text).toContain(sessionId);
    expect(after.output).toBe('after');
  });
});

/** Ignores requests to exit, and starts another command that has left its session. */
const stubborn = `trap '' TERM INT HUP; setsid tail -f /dev/null & tail -s 2 -f /dev/null`;

async function startStubborn({ model, clients, sandbox }: RunAsScene): Promise<string> {
  model.when('hang', [tool('Bash', { command: stubborn }), text('over')]);
  const { call } = clients.alice;
  const { sessionId, actions } = (await call('claude_code', { prompt: 'hang', waitMs: 20_000 })).json;
  await call('claude_code_respond', { requestId: actions?.[0]?.requestId, decision: 'allow', waitMs: 0 });
  const count = (): number =>
    processesOf(sandbox, 'alice').filter(({ command }) => command.startsWith('tail ')).length;
  await until('both commands run', () => count() === 2);
  return sessionId;
}

describe.skipIf(!canRunAs).each(['agent-sdk', 'cli'])('processes of another user with %s', (backend) => {
  it('end with their session, but not those of other principals', async () => {
    const scene = await startRunAs(backend);
    await scene.run('bob', 'true');
    const sessionId = await startStubborn(scene);

    await scene.clients.alice.call('claude_code_session', { action: 'cancel', sessionId });
    await until('her processes have ended', () => processesOf(scene.sandbox, 'alice').length === 0);

    expect(processesOf(scene.sandbox, 'bob')).not.toEqual([]);
  });

  it('end when the service is killed', async () => {
    const scene = await startRunAs(backend);
    await startStubborn(scene);

    scene.service.kill('SIGKILL');
    await until('her processes have ended', () => processesOf(scene.sandbox, 'alice').length === 0);
    const next = await startRunAs(backend, scene);
    const { output } = await next.run('alice', 'echo again');

    expect(output).toBe('again');
    expect(readdirSync(userFolder(scene.sandbox, 'alice', 'launches')).length).toBeLessThanOrEqual(1);
  });
});
