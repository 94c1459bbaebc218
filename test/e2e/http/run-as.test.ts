import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootOf, startRunAs, userFolder } from '../../kit/run-as.js';
import { canRunAs, uids } from '../../kit/system-users.js';

/** Prints each file that can be read, and says so for each that cannot. */
function tryToRead(paths: readonly string[]): string {
  return paths.map((path) => `cat '${path}' >/dev/null 2>&1 && echo READ || echo refused`).join('; ');
}

function transcriptOf(folder: string, sessionId: string): string {
  const projects = join(folder, 'projects');
  const [project = ''] = readdirSync(projects);
  return join(projects, project, `${sessionId}.jsonl`);
}

describe.skipIf(!canRunAs).each(['agent-sdk', 'cli'])('a principal with its own user and %s', (backend) => {
  it('runs commands as that user, without rights of the service', async () => {
    const { run, sandbox, service } = await startRunAs(backend);
    const facts =
      'id -u; id -g; id -G; grep -E "CapPrm|CapEff|CapAmb" /proc/self/status; ls /proc/self/fd | wc -l';
    const places = 'echo "$HOME|$CLAUDE_CONFIG_DIR|$TMPDIR|$USER|$LOGNAME|$PWD"';

    const hers = await run('alice', `${facts}; ${places}; touch made`);
    const owners = await run('owner', 'id -u; id -G');

    const own = (name: string): string => userFolder(sandbox, 'alice', name);
    const { alice, owner } = uids;
    expect(hers.output.replaceAll('\t', ' ').split('\n')).toEqual([
      String(alice),
      String(alice),
      String(alice),
      'CapPrm: 0000000000000000',
      'CapEff: 0000000000000000',
      'CapAmb: 0000000000000000',
      // stdin, stdout, stderr, and the folder that is listed.
      '4',
      [own('home'), own('claude'), own('tmp'), alice, alice, rootOf(sandbox, 'alice')].join('|'),
    ]);
    expect(owners.output).toBe(`${owner}\n${owner}`);
    expect(statSync(join(rootOf(sandbox, 'alice'), 'made'))).toMatchObject({ uid: alice, gid: alice });
    expect(statSync(transcriptOf(own('claude'), hers.sessionId))).toMatchObject({ uid: alice });
    expect(service.stderr()).not.toMatch(/separated at the API|run as the user of the service/);
  });

  it('cannot read what belongs to the service or to another principal', async () => {
    const { run, sandbox, service } = await startRunAs(backend);
    const { sessionId } = await run('bob', 'echo of bob > note');
    const paths = [
      transcriptOf(userFolder(sandbox, 'bob', 'claude'), sessionId),
      join(rootOf(sandbox, 'bob'), 'note'),
      join(sandbox.stateDir, 'tokens.json'),
      join(sandbox.root, 'config.json'),
      `/proc/${service.pid}/environ`,
    ];
    for (const path of paths) expect(readFileSync(path, 'utf8')).not.toBe('');

    const { output } = await run('alice', tryToRead(paths));
    const { output: mine } = await run('alice', `echo x > mine; ${tryToRead(['mine', '/etc/passwd'])}`);
    const { output: signal } = await run('alice', `kill -0 ${service.pid} 2>&1 || echo refused`);

    expect(output.split('\n')).toEqual(paths.map(() => 'refused'));
    expect(mine.split('\n')).toEqual(['READ', 'READ']);
    expect(signal).toMatch(/refused$/);
  });

  it('continues its sessions after a restart of the service', async () => {
    const first = await startRunAs(backend);
    const { sessionId } = await first.run('alice', 'echo first');
    first.service.kill('SIGTERM');
    await first.service.exited;

    const second = await startRunAs(backend, first);
    const again = await second.clients.alice.call('claude_code_reply', {
      sessionId,
      prompt: 'and again',
      waitMs: 25_000,
    });

    expect(again.json).toMatchObject({ status: 'idle', result: { turn: 2 } });
    expect(JSON.stringify(second.model.requests(sessionId).at(-1)?.body)).toContain('echo first');
    expect(readdirSync(userFolder(second.sandbox, 'alice', 'launches')).length).toBeLessThanOrEqual(1);
  });
});

describe.skipIf(!canRunAs)('the files of a launch', () => {
  it('are readable by the user of the session, and by no other', async () => {
    const { run, sandbox } = await startRunAs('cli');
    await run('alice', 'true');
    const launches = userFolder(sandbox, 'alice', 'launches');
    const [name = ''] = readdirSync(launches);
    const file = join(launches, name, 'system-prompt.txt');

    const hers = await run('alice', `${tryToRead([file])}; mv '${file}' '${file}.old' 2>&1 || echo kept`);
    const his = await run('bob', tryToRead([file]));

    expect(existsSync(file)).toBe(true);
    expect(hers.output).toMatch(/^READ\n[\s\S]*kept$/);
    expect(his.output).toBe('refused');
  });
});
