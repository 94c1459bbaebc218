import type { Caller } from '../../src/core/caller.js';
import type { ToolContext } from '../../src/core/tool-context.js';

/** A client that cannot show forms. */
export const plainCaller: Caller = { clientId: 'c1', canAskPerson: false };

export function toolContext(changes: Partial<ToolContext> = {}): ToolContext {
  return {
    caller: plainCaller,
    signal: new AbortController().signal,
    progress: undefined,
    log: undefined,
    canReturnForm: false,
    returned: undefined,
    concerns: () => undefined,
    ...changes,
  };
}
