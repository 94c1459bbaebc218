import type { RequestedOptions } from '../options/index.js';

/** What not every way of driving Claude Code can do. Declared, so that a caller is told before and not surprised after. */
export interface Abilities {
  /** Every tool call is judged before Claude Code's own rules are asked. */
  readonly gate: boolean;
  /** A request carries the rules that Claude Code would add for it. */
  readonly suggestions: boolean;
  /** Model, mode and files of a live process can be changed beside its prompts. */
  readonly liveChanges: boolean;
  /** Options that it has no way to pass on. */
  readonly missingOptions: readonly (keyof RequestedOptions)[];
  /** Names that it needs for MCP servers of its own. */
  readonly reservedServers: readonly string[];
}

/** In the names by which callers are told. */
export function lackingIn({ gate, suggestions, liveChanges, missingOptions }: Abilities): readonly string[] {
  const can = { gate, suggestions, liveChanges };
  return [...Object.entries(can).flatMap(([name, isThere]) => (isThere ? [] : [name])), ...missingOptions];
}

export const allAbilities: Abilities = {
  gate: true,
  suggestions: true,
  liveChanges: true,
  missingOptions: [],
  reservedServers: [],
};
