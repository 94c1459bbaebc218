/** Chooses the script of a prompt, and records how far each occurrence of that prompt has been played. */
import type { ModelRequest } from './model-request.js';
import { text, type ScriptStep } from './model-steps.js';

type Script = {
  readonly prompt: string;
  readonly steps: readonly ScriptStep[];
  readonly played: Map<string, number>;
};

export class ScriptBook {
  readonly #scripts: Script[] = [];

  add(prompt: string, steps: readonly ScriptStep[]): void {
    this.#scripts.push({ prompt, steps, played: new Map() });
  }

  nextStep(request: ModelRequest): ScriptStep {
    const script = this.#scripts.findLast(({ prompt }) => request.promptText.includes(prompt));
    if (!script) return text('ok');
    const turn = JSON.stringify([request.sessionId, request.agentId, request.promptText, request.occurrence]);
    const position = script.played.get(turn) ?? 0;
    const step = script.steps[position];
    if (step === undefined) return text('ok');
    if (typeof step !== 'function' && step.kind === 'repeat') return step.step;
    script.played.set(turn, position + 1);
    return step;
  }
}
