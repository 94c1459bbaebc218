import type { RequestedOptions } from '../options/index.js';

/** Capabilities that not every backend has. Backends declare them, so that unsupported requests fail early. */
export interface Abilities {
  /** The gate judges every tool call before Claude Code applies its own rules. */
  readonly gate: boolean;
  /** A request carries the rules that Claude Code suggests for it. */
  readonly suggestions: boolean;
  /** The model, mode and files of a live process can be changed between prompts. */
  readonly liveChanges: boolean;
  /** Options that the backend cannot pass to Claude Code. */
  readonly missingOptions: readonly (keyof RequestedOptions)[];
  /** Names that the backend reserves for its own MCP servers. */
  readonly reservedServers: readonly string[];
}

/** Lists the missing capabilities by the names that callers see. */
export function lackingIn({ gate, suggestions, liveChanges, missingOptions }: Abilities): readonly string[] {
  const can = { gate, suggestions, liveChanges };
  return [...Object.entries(can).flatMap(([name, has]) => (has ? [] : [name])), ...missingOptions];
}

export const allAbilities: Abilities = {
  gate: true,
  suggestions: true,
  liveChanges: true,
  missingOptions: [],
  reservedServers: [],
};
