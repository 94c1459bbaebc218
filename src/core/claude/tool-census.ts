/** Models read these names, so a name must not carry instructions. */
const plainName = /^[A-Za-z]\w{0,63}$/;

/** Collects the tools of Claude Code, as sessions report them. */
export class ToolCensus {
  readonly #names = new Set<string>();
  #all: readonly string[] | undefined;
  readonly #listeners = new Set<(names: readonly string[]) => void>();

  /** Every tool that any session has reported; empty before the first report. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** The built-in tools of Claude Code; undefined before a session without restrictions has reported them. */
  get all(): readonly string[] | undefined {
    return this.#all;
  }

  /**
   * Records what a session reported at its start. `isWhole` means that nothing restricted its tools. Tools of MCP
   * servers are excluded: they belong to the session, and others choose their names.
   */
  note(tools: readonly string[], isWhole: boolean): void {
    const own = tools.filter((name) => plainName.test(name) && !name.startsWith('mcp__'));
    for (const name of own) this.#names.add(name);
    if (!isWhole || own.length === 0 || this.#all !== undefined) return;
    this.#all = own;
    for (const listener of this.#listeners) listener(own);
    this.#listeners.clear();
  }

  /**
   * Calls back once with all built-in tools of Claude Code, as soon as a session has reported them. The returned function
   * ends the waiting.
   */
  whenKnown(listener: (names: readonly string[]) => void): () => void {
    if (this.#all === undefined) this.#listeners.add(listener);
    else listener(this.#all);
    return () => void this.#listeners.delete(listener);
  }
}
