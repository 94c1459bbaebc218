/** The tests behind each sentence of the section on security in the README. */
export const claims: Readonly<Record<string, string>> = {
  'Sessions run as you, on your machine, with your Claude Code settings.':
    'test/contract/scenarios/surroundings.ts: "sees the server\'s environment, the user\'s settings, and only the depth of our variables"',
  'The server adds no sandbox unless you set `CLAUDE_CODE_MCP_SANDBOX=on` or the caller requests one.':
    'test/policy/resolve-options.test.ts: "stays off with %j where none is configured", "is tight with %j", "of the operator applies to every session, and only trusted callers can loosen it"',
  'By default a caller can approve requests until a person has answered in a form, or has answered or sent a prompt on the page.':
    'test/e2e/approvals-auto.test.ts: "may only deny once a person has allowed something, and cannot hide a tool behind a harmless one"; test/e2e/page/beside-stdio.test.ts: "lets no caller approve with auto once a person has denied a request on the page"',
  'If its client cannot show forms, it can also pre-approve any tool.':
    'test/e2e/approvals-auto.test.ts: "is the one who approves, in advance too"',
  'Let your client call `claude_code_check` without confirmation, but confirm calls of the other four tools.':
    'test/mcp/server-factory.test.ts: "lets no tool but watching run without approval"',
  'Callers cannot drop your deny rules.':
    'test/e2e/own-rules.test.ts: "apply in a linked worktree, from the repository it belongs to"; test/policy/permission-rules.test.ts; test/contract/scenarios/surroundings.ts: "keeps the user\'s deny rules, even for tools that the caller allowed"',
  'Unless you set `CLAUDE_CODE_MCP_CALLER_TRUST=full`, they also cannot use `bypassPermissions`, choose the executable, start programs outside the permission system, or set more than a few harmless environment variables.':
    'test/e2e/widening.test.ts: "is refused with the reason, and starts nothing"; test/e2e/option-trust.test.ts: "what runs programs, skips approval or writes files is refused by its name", "a caller chooses variables, executable and debug output", "a caller skips every approval", "a caller brings MCP servers that run programs, live on this machine and read the environment"',
  'The toolset `configure` allows only `bypassPermissions`.':
    'test/e2e/configure-toolset.test.ts: "lets new sessions run without approval while it is enabled, and resumes them once it is enabled again", "does not overrule what must never run"',
  'Where only a person may approve (with `CLAUDE_CODE_MCP_APPROVALS=human`, and by default once a person has answered), only a person can enable that mode, through `configure`.':
    'test/policy/bypass.test.ts: "a trusted caller for whom a person answers", "a trusted caller where only people approve", "the same caller after approval by a person"; test/in-process/configure-toolset.test.ts: "needs a person where only people approve"',
  'Sessions cannot work in `/` or in your home folder itself, unless you list it.':
    'test/policy/folders.test.ts: "is accepted if the operator listed exactly this folder", "is refused as the home folder even if that contains the state folder, which is the default"',
  '`CLAUDE_CODE_MCP_ROOTS` restricts them to the folders you list.':
    'test/e2e/operator-bounds.test.ts: "bounds sessions and trusts nothing in it"',
  'Everything a session returns was written by Claude or comes from what it read.':
    'test/mcp/server-factory.test.ts: "are short, name every tool, and say that results are no instructions"',
  'Never treat it as instructions or as an approval.':
    'test/mcp/server-factory.test.ts: "are short, name every tool, and say that results are no instructions"',
};
