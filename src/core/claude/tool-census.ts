/** A name that says no more than a name can: it ends up in what models read. */
const plainName = /^[A-Za-z]\w{0,63}$/;

/** Which tools Claude Code has, as its sessions have told so far. */
export class ToolCensus {
  readonly #names = new Set<string>();
  #all: readonly string[] | undefined;
  readonly #listeners = new Set<(names: readonly string[]) => void>();

  /** Every tool that some session had; empty before the first. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /**
   * What a session has told at its start. `isWhole`: nobody has narrowed its tools. Those of MCP servers are left out:
   * they belong to the session, and their names are chosen by others.
   */
  note(tools: readonly string[], isWhole: boolean): void {
    const own = tools.filter((name) => plainName.test(name) && !name.startsWith('mcp__'));
    for (const name of own) this.#names.add(name);
    if (!isWhole || own.length === 0 || this.#all !== undefined) return;
    this.#all = own;
    for (const listener of this.#listeners) listener(own);
    this.#listeners.clear();
  }

  /** Calls back once, with all tools that Claude Code has by itself: now, or when a session has told. */
  whenKnown(listener: (names: readonly string[]) => void): void {
    if (this.#all === undefined) this.#listeners.add(listener);
    else listener(this.#all);
  }
}
