import { defineTool } from '../../shared/define-tool.js';
import { sessionOutput } from '../snapshot/output.js';
import { cancel } from './cancel.js';
import { configure } from './configure.js';
import { get } from './get.js';
import { sessionInput, type SessionInput } from './input.js';
import { interrupt } from './interrupt.js';
import { list } from './list.js';
import { rewind } from './rewind.js';
import { transcript } from './transcript.js';
import { refuseMisfits, type SessionAction } from './action.js';

const actions: Readonly<Record<SessionInput['action'], SessionAction>> = {
  list,
  get,
  transcript,
  configure,
  rewind,
  interrupt,
  cancel,
};

export const claudeCodeSession = defineTool({
  name: 'claude_code_session',
  title: 'Manage sessions',
  description:
    'get: cost, context. configure: model, permissionMode. rewind: undo file changes since a user message. interrupt: stop the turn. cancel: end for good.',
  effect: 'destructive',
  input: sessionInput,
  output: sessionOutput,
  async handle(input, deps, context) {
    const action = actions[input.action];
    refuseMisfits(input, action);
    return { view: await action.run(input, deps, context) };
  },
});
