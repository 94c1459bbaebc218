import type { McpServer } from '@modelcontextprotocol/server';
import type { Approver } from '../core/forms.js';
import type { Redactor } from '../core/observability/redactor.js';
import { canShowForms, toElicitation, toReply } from './forms.js';
import { nameOf } from './request.js';

export interface ApproverSettings {
  readonly clientId: string;
  readonly approvers: Set<Approver>;
  readonly redactor: Redactor;
}

/** On a connection of the 2025 protocols a form can be shown at any time, whether a call waits or not. */
export function keepApprover(server: McpServer, settings: ApproverSettings): void {
  const { clientId, approvers, redactor } = settings;
  const approver: Approver = {
    // Asked when it is needed: only after the handshake the client has a name.
    get who() {
      return { clientId, client: nameOf(server.server.getClientVersion()), era: 'legacy' };
    },
    show: async (form, { signal, timeoutMs }) =>
      toReply(await server.server.elicitInput(toElicitation(form, redactor), { signal, timeout: timeoutMs })),
  };
  server.server.oninitialized = () => {
    if (canShowForms(server.server.getClientCapabilities() ?? {})) approvers.add(approver);
  };
  // Not an event target: the protocol object has this one hook.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.server.onclose = () => approvers.delete(approver);
}
