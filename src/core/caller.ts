/** Who makes a tool call, as far as approvals must know. */
export interface Caller {
  /** The connection, or the principal behind it: what a person has answered is remembered under this. */
  readonly clientId: string;
  /** Whether the client of this very request can put a form before a person. */
  readonly canAskPerson: boolean;
}
