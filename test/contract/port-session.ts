import { randomUUID } from 'node:crypto';
import type {
  Backend,
  BackendProcess,
  BackendSignal,
  Launch,
  Prompt,
} from '../../src/core/claude/backend.js';
import type { InputAnswer } from '../../src/core/session/inputs.js';
import { RecordingHost, type RecordedAsk, type ResultSignal } from './recording-host.js';

/** One process of a backend, and the host that listens to it. */
export class PortSession {
  readonly host = new RecordingHost();
  readonly claudeSessionId: string;
  readonly process: BackendProcess;
  readonly #unanswered = new Set<string>();

  constructor(backend: Backend, launch: Launch) {
    this.claudeSessionId = launch.claudeSessionId;
    this.process = backend.open(launch, this.host);
  }

  /** True when no prompt is open and the process is alive, so that another scenario can use it. */
  get isAtRest(): boolean {
    return this.#unanswered.size === 0 && this.host.exits.length === 0;
  }

  send(text: string, delivery: Prompt['delivery'] = 'turn'): string {
    const uuid = randomUUID();
    this.#unanswered.add(uuid);
    this.process.send({ uuid, text, delivery });
    return uuid;
  }

  async result(promptUuid: string): Promise<ResultSignal> {
    const result = await this.host.result(promptUuid);
    for (const uuid of result.promptUuids) this.#unanswered.delete(uuid);
    return result;
  }

  turn(text: string): Promise<ResultSignal> {
    return this.result(this.send(text));
  }

  ask(toolUseId: string): Promise<RecordedAsk> {
    return this.host.until(`the ask of ${toolUseId}`, () =>
      this.host.asks.find(({ ask }) => ask.toolUseId === toolUseId),
    );
  }

  async answer(toolUseId: string, answer: InputAnswer): Promise<void> {
    (await this.ask(toolUseId)).answer(answer);
  }

  /** Records signals from now on. Earlier ones belong to another scenario. */
  listen(): () => readonly BackendSignal[] {
    const start = this.host.signals.length;
    return () => this.host.signals.slice(start);
  }
}
