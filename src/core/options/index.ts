import { agentOptions } from './agents.js';
import { hostOptions } from './host.js';
import { keepingOptions } from './keeping.js';
import { limitOptions } from './limits.js';
import { modelOptions } from './model.js';
import { outputOptions } from './output.js';
import type { PermissionRules } from './permission-rules.js';
import { placeOptions } from './place.js';
import { serverOptions } from './servers.js';
import { toolOptions, type PermissionMode } from './tools.js';
import type { OptionValues } from './define.js';

/** All start options, in the order of the docs. */
export const sessionOptions = {
  ...placeOptions,
  ...modelOptions,
  ...toolOptions,
  ...limitOptions,
  ...outputOptions,
  ...agentOptions,
  ...serverOptions,
  ...hostOptions,
  ...keepingOptions,
} as const;

/** Options as the caller requests them. */
export type RequestedOptions = OptionValues<typeof sessionOptions>;

export type OptionName = keyof RequestedOptions;

export type SettingSource = 'user' | 'project' | 'local';

/** The program of an MCP server, and its arguments. */
export type ServerCommand = readonly [string, ...string[]];

/** Claude Code knows it by its name, or by its command if the name has unusual characters. */
export interface WithheldServer {
  readonly name: string;
  readonly entry: { readonly serverName: string } | { readonly serverCommand: ServerCommand };
}

/** The only MCP servers with a program that may start. Servers with an address are not limited. */
export interface StartableServers {
  readonly commands: readonly ServerCommand[];
  /** The user or an administrator has a list of servers, which also limits those with an address. */
  readonly isListed: boolean;
}

/** Options after the policy has applied its rules. Backends accept nothing else. */
export interface EffectiveOptions extends Omit<RequestedOptions, 'settingSources'> {
  readonly cwd: string;
  readonly permissionMode: PermissionMode;
  readonly settingSources: readonly SettingSource[];
  readonly permissionRequestTimeoutMs: number;
  readonly sessionInitTimeoutMs: number;
  readonly persistSession: boolean;
  /** `skipped` if the folder has its own settings but the user does not trust it. */
  readonly projectSettings: 'as requested' | 'skipped';
  /** The files and folders that were skipped then. */
  readonly skippedFiles?: readonly string[] | undefined;
  /** Rules of the user and the folder, passed along so that no choice of settings or folders drops them. */
  readonly permissionRules?: PermissionRules | undefined;
  /** MCP servers of the user that do not start, because the folder could supply their programs. */
  readonly withheldServers?: readonly WithheldServer[] | undefined;
  /** Undefined in a trusted folder, where all may start. */
  readonly startableServers?: StartableServers | undefined;
  /** Plugins of the user that are off, because their language servers would run code of the folder. */
  readonly withheldPlugins?: readonly string[] | undefined;
  /** The folders whose programs must not run by themselves: those of the session, unless its own one is trusted. */
  readonly untrustedFolders?: readonly string[] | undefined;
  /** Sentences of this server, appended to Claude's system prompt. */
  readonly notes: readonly string[];
}
