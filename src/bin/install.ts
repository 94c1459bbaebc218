/** Adding this server to MCP clients, and removing it. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSdkInstalled } from '../backends/agent-sdk/load-sdk.js';
import type { Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { readConfigFile } from '../config/config-file.js';
import { loadSettings } from '../config/load.js';
import type { Machine } from '../console/clients/client.js';
import { fileOf, isInstalled } from '../console/clients/found.js';
import { launchOf } from '../console/clients/launch.js';
import { stateOf } from '../console/clients/state.js';
import { clientIds, clients, type ClientId } from '../console/clients/table.js';
import { chosen, menuText, namedClients, type Candidate } from '../console/install/choose.js';
import { createConfigFiles } from '../console/install/config-files.js';
import type { Action } from '../console/install/plan.js';
import { printText } from '../console/install/print.js';
import { RefusedFileError, run, type ConfigFiles, type Target } from '../console/install/run.js';
import { ask, confirm } from '../console/terminal/ask.js';
import { paintFor } from '../console/terminal/paint.js';
import { exists } from '../files/exists.js';
import { BusyStateFileError, underStateLock } from '../history/settings/state-file.js';
import { createRedactor } from '../observability/redact/redact.js';
import { columnsOf, fitted } from './fitted.js';
import { inTyped, typedCommand } from './typed.js';

/** `program` is the URL of the program that runs. The server is beside it. */
export async function install(action: Action, args: Arguments, program: string): Promise<string> {
  const { operand, own } = args;
  const machine = thisMachine();
  const { command, args: words } = launchOf({
    program: fileURLToPath(new URL('./claude-code-mcp.js', program)),
    node: process.execPath,
    system: machine.system,
    hasAgentSdk: isSdkInstalled(),
  });
  const launch = { command, args: [...words, ...(action === 'install' ? settingWords(args) : [])] };
  const named = namedClients(operand?.split(' ') ?? []);
  const targetOf = (id: ClientId): Target => ({
    id,
    file: fileOf(clients[id], machine, exists),
    isInstalled: isInstalled(clients[id], machine, exists),
  });
  if (own.print !== undefined) return printText(launch, named.map(targetOf));
  const isSure = own.yes !== undefined;
  if (!isSure && !process.stdin.isTTY)
    throw new ConfigError(
      `${action} asks before it changes a file, but there is no terminal to ask in. Pass --yes, or see the configuration with: claude-code-mcp install --print`,
    );
  const paint = paintFor(process.stdout, process.env);
  const files = filesOn(machine);
  const redactor = createRedactor(process.env);
  const write = (text: string): void => void process.stdout.write(redactor.redact(text));
  const asking = { input: process.stdin, write };
  const found = named.length > 0 ? [] : await candidates(action, clientIds.map(targetOf), files);
  if (named.length === 0 && found.length === 0) {
    process.exitCode = action === 'install' ? 1 : 0;
    return fitted(inTyped(none[action]), process.stdout);
  }
  const pick = async (): Promise<readonly ClientId[]> => {
    if (named.length > 0) return named;
    if (isSure) return found.map(({ id }) => id);
    write(menuText(found, { paint, home: machine.home }));
    return chosen(await ask('Which? Enter numbers, names or "all", or nothing to stop: ', asking), found);
  };
  const picked = await pick();
  if (picked.length === 0) return 'Nothing was changed.\n';
  const isFine = await run(picked.map(targetOf), {
    action,
    launch,
    files,
    command: typedCommand(),
    paint,
    columns: columnsOf(process.stdout),
    write,
    confirm: isSure ? undefined : (question) => confirm(question, asking),
  });
  if (!isFine) process.exitCode = 1;
  return '';
}

/** The settings with which clients shall start the server. Throws a ConfigError if it would not start with them. */
function settingWords({ flags, configFile }: Arguments): readonly string[] {
  // Clients start it in another folder.
  const path = configFile === undefined ? undefined : resolve(configFile);
  loadSettings(flags, {}, path === undefined ? undefined : readConfigFile(path));
  return [
    ...(path === undefined ? [] : [`--config=${path}`]),
    ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
  ];
}

const none: Readonly<Record<Action, string>> = {
  install: `No known client was found on this machine. Name one (${clientIds.join(', ')}), or see the configuration for any other with: claude-code-mcp install --print\n`,
  uninstall: 'No client on this machine starts this server.\n',
};

/** For `install` the clients on this machine, for `uninstall` those that start this server. */
async function candidates(
  action: Action,
  targets: readonly Target[],
  files: ConfigFiles,
): Promise<readonly Candidate[]> {
  const places = action === 'install' ? targets.filter((target) => target.isInstalled) : targets;
  const all = await Promise.all(
    places.map(async ({ id, file }): Promise<Candidate> => {
      try {
        return { id, file, text: await files.read(file) };
      } catch {
        return { id, file, text: undefined, isRefused: true };
      }
    }),
  );
  return action === 'install'
    ? all
    : all.filter(({ id, text }) => stateOf(clients[id], text).kind === 'configured');
}

/** Claude Code keeps its state in the same file as its servers, and changes it under a lock. */
function filesOn(machine: Machine): ConfigFiles {
  const [stateFile] = clients['claude-code'].files(machine);
  return createConfigFiles(async (path, work) => {
    // Without a file, there may be no folder for the lock either.
    if (path !== stateFile || !exists(path)) return work();
    return underStateLock(path, work).catch((error: unknown) => {
      throw error instanceof BusyStateFileError
        ? new RefusedFileError('Claude Code is changing the file. Run this command again.')
        : error;
    });
  });
}

function thisMachine(): Machine {
  const { platform, env } = process;
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  return { system, home: homedir(), environment: env };
}
