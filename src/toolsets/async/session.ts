import { defineTool } from '../define-tool.js';
import { sessionOutput } from './output.js';
import { cancel } from './session-cancel.js';
import { configure } from './session-configure.js';
import { get } from './session-get.js';
import { sessionInput, type SessionInput } from './session-input.js';
import { interrupt } from './session-interrupt.js';
import { list } from './session-list.js';
import { rewind } from './session-rewind.js';
import { transcript } from './session-transcript.js';
import { refuseMisfits, type SessionAction } from './session-action.js';

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
    'configure sets model or permissionMode; rewind restores files to a user message (see transcript); interrupt stops the turn, cancel ends for good.',
  effect: 'destructive',
  input: sessionInput,
  output: sessionOutput,
  async handle(input, deps, context) {
    const action = actions[input.action];
    refuseMisfits(input, action);
    return action.run(input, deps, context);
  },
});
