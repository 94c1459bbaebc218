import { existsSync } from 'node:fs';
import type { ConfigError } from '../../config/config-error.js';
import type { Loaded } from '../../config/load.js';
import { depthVariable } from '../../config/settings.js';
import type { Finding, Section } from '../../console/doctor/check.js';
import { checkClients } from '../../console/doctor/clients.js';
import { checkClaude } from '../../console/doctor/claude.js';
import { checkGitBash, checkShims, checkVersionManager } from '../../console/doctor/machine.js';
import { checkNested } from '../../console/doctor/nested.js';
import { checkNetwork } from '../../console/doctor/network.js';
import { checkNode } from '../../console/doctor/node-version.js';
import { checkPort } from '../../console/doctor/port.js';
import { checkClaudeSettings, checkSettings } from '../../console/doctor/settings.js';
import { checkSignIn } from '../../console/doctor/sign-in.js';
import { checkStateFolder } from '../../console/doctor/state-folder.js';
import { checkFolder } from '../../console/doctor/trust.js';
import { checkSelfTest } from '../../console/self-test/check.js';
import { messageOf } from '../../core/errors.js';
import { nestingMarkersIn } from '../../policy/child-environment.js';
import { gatherClaude, gatherSignIn } from './claude-facts.js';
import { gatherClients } from './client-facts.js';
import { gatherPorts, gatherStateFolder } from './machine-facts.js';
import { gatherNetwork } from './network-facts.js';
import { selfTest } from './self-test.js';
import { gatherClaudeSettings, gatherTrust, settingsFacts } from './settings-facts.js';
import type { Surroundings } from './surroundings.js';

export interface ChecksToRun {
  readonly surroundings: Surroundings;
  /** The settings, or why they cannot be used. */
  readonly loaded: Loaded | ConfigError;
  /** The script of the server. */
  readonly program: string;
  readonly isQuick: boolean;
  /** Ends the self-test. */
  readonly signal: AbortSignal;
  readonly onProgress: (what: string) => void;
}

export async function runChecks(run: ChecksToRun): Promise<readonly Section[]> {
  const { surroundings, loaded, program, isQuick, signal, onProgress } = run;
  const { environment } = surroundings;
  const machine = { platform: process.platform, environment, node: process.execPath, exists: existsSync };
  onProgress('Looking for Claude Code');
  const facts = await gatherClaude(surroundings);
  const claude = checkClaude(facts);
  const path = claude.status === 'fail' ? undefined : facts.found?.path;
  onProgress('Checking the sign-in, this machine, settings and clients');
  const [signIn, network, state, port, settings, clients] = await Promise.all([
    attempt('sign-in', async () =>
      path === undefined ? [] : [checkSignIn(await gatherSignIn(path, surroundings))],
    ),
    attempt('network', async () => {
      const found = await gatherNetwork(surroundings);
      return found === undefined ? [] : [checkNetwork(found)];
    }),
    attempt('state-folder', async () => [checkStateFolder(gatherStateFolder(surroundings))]),
    attempt('port', async () => (await gatherPorts(surroundings)).map(checkPort)),
    attempt('trust', async () => {
      const trust = await gatherTrust(surroundings);
      const files = await gatherClaudeSettings(
        surroundings,
        trust.isTrusted && trust.untrustedAbove.length === 0,
      );
      return [...checkClaudeSettings(files), checkFolder(trust)];
    }),
    attempt('clients', async () => checkClients(await gatherClients(surroundings))),
  ]);
  if (!isQuick) onProgress('Running a session with a scripted model');
  const trial = async (): Promise<Finding> =>
    checkSelfTest(
      path === undefined
        ? { kind: 'skipped' }
        : await selfTest(surroundings, { program, claude: path, signal }),
    );
  const nested = {
    markers: nestingMarkersIn(environment),
    depth: Number.parseInt(environment[depthVariable] ?? '0', 10) || 0,
    maxDepth: surroundings.settings.maxDepth,
  };
  return [
    {
      title: 'Claude Code',
      findings: [claude, ...checkShims(machine, facts.found !== undefined), ...signIn, checkNested(nested)],
    },
    {
      title: 'This machine',
      findings: [
        checkNode(process.version),
        ...checkVersionManager(machine),
        ...checkGitBash(machine),
        ...network,
        ...state,
        ...port,
      ],
    },
    { title: 'Settings', findings: [...checkSettings(settingsFacts(loaded)), ...settings] },
    { title: 'Clients', findings: clients },
    { title: 'Self-test', findings: isQuick ? [] : await attempt('self-test', async () => [await trial()]) },
  ];
}

/** A check that fails in another way than it expects must not hide the others. */
async function attempt(id: string, check: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [
      {
        id,
        status: 'fail',
        message: `This check could not be made: ${messageOf(error)}`,
        fix: 'Report this text with the output of claude-code-mcp doctor --json.',
      },
    ];
  }
}
