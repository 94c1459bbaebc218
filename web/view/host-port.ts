/** The program that shows this view: JSON-RPC over postMessage, as MCP Apps define it. */
export interface Host {
  /** What the host can do, after the handshake. */
  readonly can: { readonly openLinks: boolean };
  /** Calls a tool of our server. Rejects with the error text of the tool. */
  callTool(name: string, args: object): Promise<unknown>;
  /** Opens an address in the person's browser. */
  openLink(url: string): Promise<void>;
}
