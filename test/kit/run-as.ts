/** A service of root whose principals each have a user of their own. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeTokens } from '../../src/app/service/compose-tokens.js';
import { startBackstage, type Scene } from './fixture.js';
import { processesWithVariable, type LiveProcess } from './live-processes.js';
import { text, tool } from './model-steps.js';
import type { Sandbox } from './sandbox.js';
import { connectHttp, startService, type HttpClient, type RunningService } from './service.js';
import { giveTo, uids, type Principal } from './system-users.js';
import { toolResultText } from './tool-result.js';

/** The folder in which the sessions of a principal work. */
export function rootOf({ root, project }: Sandbox, principal: Principal): string {
  return principal === 'owner' ? project : join(root, principal);
}

/** A folder that the service keeps for the user of a principal. */
export function userFolder({ stateDir }: Sandbox, principal: Principal, name: string): string {
  return join(`${stateDir}-users`, principal, name);
}

/** The live processes of a principal. */
export function processesOf(sandbox: Sandbox, principal: Principal): readonly LiveProcess[] {
  return processesWithVariable('HOME', userFolder(sandbox, principal, 'home'));
}

/** Writes the config file, and gives each principal its folder. Returns the arguments of the service. */
export function configureUsers(sandbox: Sandbox, entries: Partial<Record<Principal, object>> = {}): string[] {
  chmodSync(sandbox.root, 0o711);
  for (const folder of [sandbox.stateDir, sandbox.configDir]) chmodSync(folder, 0o700);
  const principals = Object.entries(uids).map(([name, uid]) => {
    const principal = name as Principal;
    const root = rootOf(sandbox, principal);
    mkdirSync(root, { recursive: true });
    giveTo(principal, root, 0o700);
    const roots = principal === 'owner' ? {} : { roots: [root] };
    return [principal, { ...roots, runAs: `${uid}:${uid}`, ...entries[principal] }];
  });
  const path = join(sandbox.root, 'config.json');
  const content = {
    approvals: 'any',
    history: 'read',
    roots: [sandbox.project],
    principals: Object.fromEntries(principals),
  };
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
  return ['--config', path];
}

export interface RunAsScene extends Omit<Scene, 'server'> {
  readonly service: RunningService;
  readonly clients: Readonly<Record<Principal, HttpClient>>;
  /** Runs a command in the session of the principal, which starts with the first. Returns its output and the session. */
  readonly run: (
    principal: Principal,
    command: string,
  ) => Promise<{ readonly output: string; readonly sessionId: string }>;
}

export async function startRunAs(
  backend: string,
  stage?: Omit<Scene, 'server'>,
  prepare: (sandbox: Sandbox) => void = () => undefined,
): Promise<RunAsScene> {
  const { model, sandbox } = stage ?? (await startBackstage());
  const args = configureUsers(sandbox);
  prepare(sandbox);
  const tokens = composeTokens(sandbox.stateDir);
  const tokenOf = (principal: string): Promise<string> =>
    tokens.create({
      name: `${principal}-${Date.now()}`,
      principal,
      scopes: ['call', 'approve'],
      now: Date.now(),
    });
  const service = await startService({ sandbox, model, env: { CLAUDE_CODE_MCP_BACKEND: backend }, args });
  const connect = async (principal: Principal): Promise<HttpClient> =>
    connectHttp(service.url, { era: 'modern', token: await tokenOf(principal) });
  const clients = {
    owner: await connect('owner'),
    alice: await connect('alice'),
    bob: await connect('bob'),
  };
  let count = 0;
  const sessions = new Map<Principal, string>();
  return {
    model,
    sandbox,
    service,
    clients,
    async run(principal, command) {
      count += 1;
      const [prompt, id] = [`run ${count}`, `run_${count}`];
      model.when(prompt, [tool('Bash', { command }, { id }), text('Done.')]);
      const { call } = clients[principal];
      const known = sessions.get(principal);
      const asked = await (known === undefined
        ? call('claude_code', { prompt, waitMs: 25_000, systemPrompt: 'Be brief.' })
        : call('claude_code_reply', { sessionId: known, prompt, waitMs: 25_000 }));
      const { sessionId, actions } = asked.json;
      sessions.set(principal, sessionId);
      const requestId = actions?.[0]?.requestId;
      const done = await call('claude_code_respond', { requestId, decision: 'allow', waitMs: 25_000 });
      const results = model.requests(sessionId).map((request) => toolResultText(request, id));
      const output = results.find((result) => result !== undefined);
      if (output === undefined) throw new Error(`The command did not run: ${asked.text}\n${done.text}`);
      return { output, sessionId };
    },
  };
}
