import { sessionsTools } from '../../../src/toolsets/sessions/index.js';
import { generatedNotice } from '../markdown.js';
import { meanings, toolSection } from './section.js';
import { sessionsStatuses, sessionsWords, statusFields } from './sessions-words.js';

/** docs/tools/sessions.md */
export function sessionsPage(): string {
  return `${generatedNotice}

# Toolset \`sessions\`

Six tools that never wait. Call \`claude_get_status\` to see what a session is doing, and pause between calls. Serve them with \`CLAUDE_CODE_MCP_TOOLSETS=sessions\`, alone or with other toolsets.

${sessionsTools.map((tool) => toolSection(tool, sessionsWords[tool.name])).join('\n\n')}

## Answers

Every tool except \`claude_list_sessions\` returns \`{ sessionId, status }\`, and \`error\` if the status is \`error\`. \`claude_get_status\` adds more:

${meanings(statusFields)}

### Status

${meanings(Object.entries(sessionsStatuses), 'Status')}

## Forms

If the client can show forms, a person sees each open request. In the 2026 protocol, \`claude_get_status\` and \`claude_send_message\` return the form. In older protocols, the form appears as soon as the request opens.
`;
}
