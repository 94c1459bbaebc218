import { configureTools } from '../../../src/toolsets/configure/index.js';
import { generatedNotice } from '../markdown.js';
import { toolSection, type ToolWords } from './section.js';

const words: ToolWords = {
  example: {
    call: { action: 'enable_bypass' },
    answer: {
      allowBypass: true,
      message:
        'New sessions may use mode "bypassPermissions" until 2026-11-15T09:38:00.796Z. Sessions that use it then return to mode "default".',
    },
  },
  fields: {
    action:
      '`enable_bypass` lets new sessions use `permissionMode: "bypassPermissions"` for 30 minutes. Then, or with `disable_bypass`, those sessions return to mode `default`, even during a turn. `get_config` only reports the state.',
  },
  notes: `- The switch is off when the server starts, and applies to one client.
- If the client can show forms, it asks the person first. Where only a person may approve, nothing but that person's approval enables the switch.
- A session that was started in this mode can be resumed only while the switch is on, or in another mode.
- Serving this toolset is the operator's consent. With \`CLAUDE_CODE_MCP_CALLER_TRUST=full\`, callers can use the mode without this tool, unless only a person may approve.`,
};

/** docs/tools/configure.md */
export function configurePage(): string {
  return `${generatedNotice}

# Toolset \`configure\`

One tool that lets callers use \`bypassPermissions\`, a mode in which every tool runs without approval. Serve it with \`CLAUDE_CODE_MCP_TOOLSETS=async,configure\`.

${configureTools.map((tool) => toolSection(tool, words)).join('\n\n')}
`;
}
