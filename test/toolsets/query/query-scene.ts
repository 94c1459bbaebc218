import { setImmediate as aMoment } from 'node:timers/promises';
import type { Approver } from '../../../src/core/forms.js';
import type { LogNotice, ToolContext, ToolOutcome } from '../../../src/core/tool-context.js';
import { asyncVocabulary } from '../../../src/toolsets/async/wording/vocabulary.js';
import { queryTools } from '../../../src/toolsets/query/index.js';
import { toolContext } from '../../kit/callers.js';
import type { FakeProcess } from '../../kit/fake-backend.js';
import { answerText } from '../../kit/view-text.js';
import { createManagerScene } from '../../sessions/manager-scene.js';

const maxExecutionMs = 300_000;

/** The query tool on a real session layer, whose Claude Code and clock are fake. */
export async function createQueryScene(approvers: readonly Approver[] = []) {
  const scene = await createManagerScene({ approvers: new Set(approvers) });
  const [tool] = queryTools({ maxExecutionMs, async: asyncVocabulary });
  if (tool === undefined) throw new Error('there is no query tool');
  const notices: LogNotice[] = [];
  const lines: string[] = [];
  const query = (
    args: Readonly<Record<string, unknown>> = {},
    context: Partial<ToolContext> = {},
  ): Promise<ToolOutcome> =>
    tool.parse({ prompt: 'do it', ...args })(
      { sessions: scene.manager, maxWaitMs: 45_000, words: tool.vocabulary },
      toolContext({
        log: async (notice) => void notices.push(notice),
        progress: async (line) => void lines.push(line),
        ...context,
      }),
    );
  /** A query that Claude Code works on. */
  const begin = async (
    args: Readonly<Record<string, unknown>> = {},
    context: Partial<ToolContext> = {},
  ): Promise<{ readonly answer: Promise<ToolOutcome>; readonly process: FakeProcess }> => {
    const index = scene.backend.processes.length;
    const answer = query(args, context);
    const process = await scene.backend.process(index);
    await process.prompt(0);
    process.init();
    // The session has started a few microtasks later.
    await aMoment();
    return { answer, process };
  };
  return { ...scene, query, begin, notices, lines };
}

export function resultOf(outcome: ToolOutcome): unknown {
  return (JSON.parse(answerText(outcome)) as { readonly result: unknown }).result;
}

export function messageOf({ data }: LogNotice): Readonly<Record<string, unknown>> {
  return (data as { readonly message: Readonly<Record<string, unknown>> }).message;
}
