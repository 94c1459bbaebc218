import { ProtocolError, type Server } from '@modelcontextprotocol/server';
import type { Approver, FormReply } from '../core/forms.js';
import { hasReach } from '../core/reach.js';
import { showingOf, toElicitation, toReply } from './forms.js';
import { onClose } from './on-close.js';
import { nameOf } from './request.js';
import { loadFormValidator } from './sdk/shims.js';

export interface ApproverSettings {
  readonly clientId: string;
  readonly login: string | undefined;
  readonly approvers: Set<Approver>;
}

/** Registers a connection of the 2025 protocols as approver: it can show a form even if no call is waiting. */
export function keepApprover(server: Server, settings: ApproverSettings): void {
  const { clientId, login, approvers } = settings;
  const approver: Approver = {
    // A getter, because the client has no name before the handshake.
    get who() {
      return { clientId, login, client: nameOf(server.getClientVersion()), era: 'legacy' };
    },
    get can() {
      return showingOf(server.getClientCapabilities() ?? {});
    },
    show: async (form, { signal, timeoutMs }) => {
      await loadFormValidator();
      const reply = server.elicitInput(toElicitation(form), { signal, timeout: timeoutMs });
      return reply.then(toReply, refusalOf);
    },
  };
  server.oninitialized = () => {
    if (!approver.can.showForms && !approver.can.openPages) return;
    const { transport } = server;
    if (!hasReach(transport)) return void approvers.add(approver);
    transport.watchReach((isReachable) => {
      if (isReachable) approvers.add(approver);
      else approvers.delete(approver);
    });
  };
  onClose(server, () => void approvers.delete(approver));
}

/** A client may declare forms and reply with an error, for example because it runs without a person. */
function refusalOf(error: unknown): FormReply {
  if (!ProtocolError.isInstance(error)) throw error;
  return { action: 'cancel', problem: error.message };
}
