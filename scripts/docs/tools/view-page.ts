import { viewTools } from '../../../src/page/view/index.js';
import type { Overview } from '../../../src/page/view/contract.js';
import { generatedNotice } from '../markdown.js';
import { toolSection, type ToolWords } from './section.js';

const sessionId = '0ce8f191-ed07-4899-80fc-4df1b95b91a6';
const askedAt = Date.UTC(2026, 10, 15, 8, 56, 57);

const answer: Overview = {
  mayApprove: true,
  requests: [
    {
      requestId: 'rPB_P-Ex',
      sessionId,
      kind: 'permission',
      summary: 'Bash: `npm test`',
      answerAt: undefined,
    },
  ],
  moreRequests: undefined,
  sessions: [
    {
      sessionId,
      title: 'parser tests',
      folder: '/path/to/your/project',
      status: 'waiting',
      costUsd: 0.0088,
      createdAt: askedAt - 20_000,
      lastUsedAt: askedAt,
      openRequests: 1,
    },
  ],
  moreSessions: undefined,
};

const words: ToolWords = {
  example: { call: {}, answer: { ...answer } },
  fields: {
    sessionId: 'The session whose state and result the view shows. The person can select another.',
    after: 'For the view: the last event that it has.',
    requestId: 'For the view: the request to read in full.',
    offset: 'For the view: the position in the JSON of the request from which to read.',
    answer: 'For the view: the answer that the person chose.',
    waitMs: 'For the view: how long to wait for news, at most 20 seconds.',
  },
  notes: `- Without MCP Apps, a client shows the JSON of the answer.
- The view shows each request in full, with buttons to answer it. An answer counts as the answer of the caller, because a view cannot prove that a person clicked. Where only people may approve, the view offers only Deny and, if a [page](../page.md) runs, a link to it.`,
};

/** docs/tools/view.md */
export function viewPage(): string {
  return `${generatedNotice}

# Toolset \`view\`

One tool that shows open requests and sessions inside a client that supports MCP Apps. Serve it with \`CLAUDE_CODE_MCP_TOOLSETS=async,view\`.

${viewTools.map((tool) => toolSection(tool, words)).join('\n\n')}
`;
}
