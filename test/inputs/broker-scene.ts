import { noPage } from '../../src/core/forms.js';
import type { InputAnswer, InputAsk, InputRequest, SettledInput } from '../../src/core/session/inputs.js';
import { InputBroker, type AskOptions, type InputWatcher } from '../../src/inputs/broker.js';
import { plainAsk } from '../kit/fake-backend.js';
import { FakeClock } from '../kit/fake-clock.js';
import { blindRedactor } from '../kit/redactors.js';

export interface Asked {
  readonly requestId: string;
  readonly answer: Promise<InputAnswer>;
  readonly abort: () => void;
  /** Every settlement reported for this request, and whether others were still open. */
  readonly settled: { settled: SettledInput; othersOpen: boolean }[];
}

/** A broker that names its requests r1, r2, …, unless `names` does, and records everything it reports. */
export function createBrokerScene(watcher: Partial<InputWatcher> = {}, names: readonly string[] = []) {
  const clock = new FakeClock();
  let count = 0;
  const broker = new InputBroker({
    page: noPage,
    clock,
    ids: { uuid: () => 'unused', short: () => names[count++] ?? `r${count}` },
    redactor: blindRedactor,
    watcher: {
      onOpened: () => undefined,
      onAnswering: () => undefined,
      onSettled: () => undefined,
      ...watcher,
    },
  });
  const opened: InputRequest[] = [];
  const ask = (options: Partial<AskOptions> & { ask?: Partial<InputAsk> } = {}): Asked => {
    const { ask: changes, ...rest } = options;
    const controller = new AbortController();
    const settled: Asked['settled'] = [];
    const answer = broker.ask(
      { ...plainAsk, ...changes },
      {
        interruptOnTimeout: false,
        sessionId: 's1',
        timeoutMs: 60_000,
        signal: controller.signal,
        onOpened: (request) => void opened.push(request),
        onSettled: (one, othersOpen) => void settled.push({ settled: one, othersOpen }),
        ...rest,
      },
    );
    return { requestId: opened.at(-1)?.requestId ?? '', answer, abort: () => controller.abort(), settled };
  };
  return { broker, clock, opened, ask };
}
