import * as z from 'zod';
import { parseSessionId } from '../../core/ids.js';
import { fitText } from '../../events/digest.js';
import { sessionIdField } from '../shared/fields.js';
import { defineTool } from '../shared/define-tool.js';
import { briefOf } from './brief.js';
import { briefOutput } from './output.js';

export const claudeInterrupt = defineTool({
  name: 'claude_interrupt',
  title: 'Interrupt a session',
  description:
    'Stops the turn that runs; claude_send_message can go on. Without one it changes nothing and tells the status.',
  effect: 'write',
  input: z.strictObject({ sessionId: sessionIdField }),
  output: briefOutput,
  async handle({ sessionId }, { sessions }) {
    const session = await sessions.find(parseSessionId(sessionId));
    await session.interrupt();
    return fitText((room) => briefOf(session, room));
  },
});
