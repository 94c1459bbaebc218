import { blindRedactor } from '../kit/redactors.js';
import { noPage, type AnswerPage, type Approver, type Form, type FormReply } from '../../src/core/forms.js';
import type { InputAnswer, InputAsk, InputRequest, SettledInput } from '../../src/core/session/inputs.js';
import type { LogFields } from '../../src/core/observability/logger.js';
import { InputBroker, type InputWatcher } from '../../src/inputs/broker.js';
import { FormApprovals } from '../../src/inputs/form-approvals.js';
import { plainAsk } from '../kit/fake-backend.js';
import { FakeClock } from '../kit/fake-clock.js';

export const formsOnly: Approver['can'] = { showForms: true, openPages: false };

export interface ShownForm {
  readonly form: Form;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly reply: (reply: FormReply) => void;
  readonly fail: (error: Error) => void;
}

/** A client that accepts forms at any time; the test decides when its person answers. */
export class FakeApprover implements Approver {
  readonly who: Approver['who'];
  readonly can: Approver['can'];
  readonly shown: ShownForm[] = [];

  constructor(clientId: string, can: Approver['can'] = formsOnly) {
    this.who = { clientId };
    this.can = can;
  }

  show(form: Form, { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number }): Promise<FormReply> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('the form was taken away')), { once: true });
      this.shown.push({ form, signal, timeoutMs, reply: resolve, fail: reject });
    });
  }
}

export interface AskedPeople {
  readonly request: InputRequest;
  readonly answer: Promise<InputAnswer>;
}

/** Form approvals and the broker, wired as in the server; requests are named r1, r2, … */
export function createPeopleScene(
  approvers: readonly Approver[] = [],
  onAnswering: InputWatcher['onAnswering'] = () => undefined,
  page: AnswerPage = noPage,
) {
  const clock = new FakeClock();
  const settled: SettledInput[] = [];
  const nobody: string[] = [];
  const logged: [string, string, LogFields | undefined][] = [];
  const origin = { session: 's1', folder: '/srv/app' };
  let count = 0;
  const broker = new InputBroker({
    redactor: blindRedactor,
    page,
    clock,
    ids: { uuid: () => 'unused', short: () => `r${(count += 1)}` },
    watcher: {
      onOpened: (request) => people.onOpened(request),
      onAnswering,
      onSettled(one) {
        people.onSettled(one.request.requestId);
        settled.push(one);
      },
    },
  });
  const people = new FormApprovals({
    broker,
    clock,
    logger: { log: (...line) => void logged.push([line[0], line[1], line[2]]) },
    approvers: new Set(approvers),
    originOf: () => ({ ...origin }),
    onNobody: ({ requestId }) => void nobody.push(requestId),
  });
  const ask = (changes: Partial<InputAsk> = {}, timeoutMs = 60_000): AskedPeople => {
    const answer = broker.ask(
      { ...plainAsk, ...changes },
      {
        sessionId: 's1',
        timeoutMs,
        interruptOnTimeout: false,
        signal: new AbortController().signal,
        onOpened: () => undefined,
        onSettled: () => undefined,
      },
    );
    return { request: broker.find(`r${count}`), answer };
  };
  return { people, broker, clock, origin, settled, nobody, logged, ask };
}

/** Waits for pending replies, which pass through a few promises. */
export async function arrival(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}
