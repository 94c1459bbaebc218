import type { Calls } from './contract.js';
import { answerRequest } from './answers.js';
import { parseInput, type CallInput } from './call-inputs.js';
import type { Desk, DeskCall, Person } from './desk.js';
import { listRows } from './rows.js';
import { streamTo, type StreamDependencies } from './stream.js';

export type DeskDependencies = StreamDependencies;

type Handlers = {
  readonly [Name in DeskCall]: (input: CallInput<Name>, person: Person) => Promise<Calls[Name]['output']>;
};

/** The page's view of the sessions of one principal. */
export function createDesk(deps: DeskDependencies): Desk {
  const handlers = handlersOf(deps);
  return {
    async call(name, input, person) {
      return handlers[name](parseInput(name, input), person);
    },
    about: async () => ({ modes: [], defaultFolder: undefined, budgetTodayUsd: undefined }),
    stream: (request, signal) => streamTo(request, signal, deps),
  };
}

function handlersOf(deps: DeskDependencies): Handlers {
  const { sessions } = deps;
  const later = async (): Promise<never> => {
    throw new Error('not built yet');
  };
  return {
    answer: (input, person) => answerRequest(sessions, input, person),
    sessions: (input) => listRows(sessions, input),
    session: later,
    events: later,
    toolCall: later,
    changes: later,
    usage: later,
    folders: later,
    start: later,
    reply: later,
    interrupt: later,
    cancel: later,
  };
}
