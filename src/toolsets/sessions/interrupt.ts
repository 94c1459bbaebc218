import * as z from 'zod';
import { shrinking } from '../../core/view.js';
import { sessionIdField } from '../shared/fields.js';
import { defineTool, withSession } from '../shared/define-tool.js';
import { briefOf } from './brief.js';
import { interruptOutput } from './output.js';

export const claudeInterrupt = defineTool({
  name: 'claude_interrupt',
  title: 'Interrupt a session',
  description:
    'Stops the running turn, and subagents in the background; claude_send_message continues the session.',
  effect: 'write',
  input: z.strictObject({ sessionId: sessionIdField }),
  output: interruptOutput,
  handle: withSession(async (session, _input, { words }) => {
    const droppedPrompts = (await session.interrupt()) || undefined;
    return { view: shrinking((room) => ({ ...briefOf(session.view, words, room), droppedPrompts })) };
  }),
});
