import { describe, expect, it } from 'vitest';
import { judgeToolCall } from '../../../src/policy/gate/judge-tool-call.js';
import { facts, judge, targetsIn } from './judging.js';

describe('a tool call', () => {
  it('that ends plan mode needs approval of the plan', () => {
    expect(judge('ExitPlanMode', {}, 'plan')).toEqual({
      ask: 'Claude may carry out a plan only after it is approved',
      isGrantable: false,
    });
    expect(judge('ExitPlanMode', {}, 'default')).toBe('pass');
  });

  it.each(['default', 'plan', 'acceptEdits', 'bypassPermissions'])(
    'with more words than were looked up needs approval, also if it is pre-approved, in mode %s',
    (permissionMode) => {
      const input = { command: 'touch a' };
      const call = { toolUseId: 't', toolName: 'Bash', input, permissionMode, targets: targetsIn(input) };

      expect(judgeToolCall({ ...call, hasMoreTargets: true }, { ...facts, allowedTools: ['Bash'] })).toEqual({
        ask: 'Where this call leads could not be checked, because it names too many files, or links that cannot be followed',
        isGrantable: false,
      });
    },
  );

  it.each([
    ['Read', { file_path: '/p/a' }],
    ['Bash', { command: 'ls -la src' }],
    ['Bash', { command: 'cat a', description: 'Read it', timeout: 5, dangerouslyDisableSandbox: false }],
    ['Write', { file_path: '/home/u/.claude/plans/a-plan.md' }],
  ])('that changes nothing passes in plan mode: %s %j', (toolName, input) => {
    expect(judge(toolName, input, 'plan')).toBe('pass');
  });

  it.each([
    ['Write', { file_path: '/p/a' }],
    ['Write', { file_path: '/home/u/.claude/plans/../settings.json' }],
    ['Edit', { file_path: '/p/a' }],
    ['Bash', { command: 'touch a' }],
    ['Bash', { command: 'cat /proc/self/environ' }],
    ['Bash', { command: 'cat /.vol/16777220/4711' }],
    ['Bash', { command: 'cat /.resolve/1/srv/a' }],
    ['Bash', { command: 'grep -r KEY= /' }],
    ['Bash', { command: 'cat < /dev/tcp/example.com/80' }],
    ['Bash', { command: 'cat a', dangerouslyDisableSandbox: true }],
    ['mcp__db__query', {}],
    ['SomethingNew', {}],
  ])('that could change something needs approval in plan mode: %s %j', (toolName, input) => {
    expect(judge(toolName, input, 'plan')).toEqual({ ask: 'Plan mode is read-only', isGrantable: false });
  });

  it.each(['default', 'acceptEdits', 'dontAsk', 'auto', ''])('passes to Claude Code in mode "%s"', (mode) => {
    expect(judge('Bash', { command: 'touch a' }, mode)).toBe('pass');
  });

  it('that edits a file which starts programs needs approval in every mode', () => {
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'])
      expect(judge('Write', { file_path: '/p/.cursor/mcp.json' }, mode)).toEqual({
        ask: 'This file can make other tools start programs',
        isGrantable: false,
      });
  });

  it('whose command names such a file needs approval unless it only reads', () => {
    for (const toolName of ['Bash', 'Monitor'])
      expect(judge(toolName, { command: 'touch .cursor/hooks.json' }, 'acceptEdits')).toEqual({
        ask: 'This command names a file that can make other tools start programs',
        isGrantable: false,
      });
    expect(judge('Bash', { command: 'cat .cursor/hooks.json' }, 'acceptEdits')).toBe('pass');
    expect(judge('Bash', { command: 'node_modules/.bin/jest --watch' }, 'acceptEdits')).toBe('pass');
  });
});

describe('a tool call with human-only approvals', () => {
  const human = { isHumanOnly: true };
  const asked = {
    ask: 'This server asks a person before each call that can change or send something. Allow it if you want it to run',
    isGrantable: true,
  };

  it.each([
    ['Read', { file_path: '/p/a' }],
    ['Glob', { pattern: '*' }],
    ['Bash', { command: 'ls -la' }],
    ['AskUserQuestion', { questions: [] }],
    ['Agent', { prompt: 'look' }],
  ])('passes if it changes nothing: %s %j', (toolName, input) => {
    expect(judge(toolName, input, 'default', human)).toBe('pass');
  });

  it.each(['default', 'acceptEdits', 'dontAsk', 'auto', 'bypassPermissions', ''])(
    'needs approval in mode "%s" if it could change something',
    (mode) => {
      expect(judge('Bash', { command: 'touch a' }, mode, human)).toEqual(asked);
      expect(judge('Write', { file_path: '/p/a' }, mode, human)).toEqual(asked);
      expect(judge('mcp__db__query', {}, mode, human)).toEqual(asked);
    },
  );

  it('needs a new approval for every plan, in any mode', () => {
    expect(judge('ExitPlanMode', { plan: 'Do it.' }, 'default', human)).toMatchObject({ isGrantable: false });
  });

  it('needs approval for a plan file too, outside plan mode', () => {
    const input = { file_path: '/home/u/.claude/plans/a-plan.md' };

    expect(judge('Write', input, 'plan', human)).toBe('pass');
    expect(judge('Write', input, 'default', human)).toEqual(asked);
  });

  it('passes only if the operator let the caller pre-approve the whole tool', () => {
    const input = { command: 'touch a' };

    expect(judge('Bash', input, 'default', { ...human, allowedTools: ['Bash'] })).toBe('pass');
    expect(judge('Bash', input, 'default', { ...human, allowedTools: ['Bash(touch *)'] })).toEqual(asked);
    expect(judge('Bash', input, 'default', { ...human, allowedTools: ['Write'] })).toEqual(asked);
  });

  it('always needs approval in plan mode, and for files which start programs, whatever is pre-approved', () => {
    const allowed = { ...human, allowedTools: ['Bash', 'Write'] };

    expect(judge('Bash', { command: 'touch a' }, 'plan', allowed)).toEqual({
      ask: 'Plan mode is read-only',
      isGrantable: false,
    });
    expect(judge('Write', { file_path: '/p/.cursor/mcp.json' }, 'default', allowed)).toEqual({
      ask: 'This file can make other tools start programs',
      isGrantable: false,
    });
  });
});

describe('within the folders of the session', () => {
  const folders = ['/p', '/q'];
  const outside = { ask: "This path is outside the session's folders", isGrantable: true };

  it.each([
    ['Read', 'Read', { file_path: '/etc/passwd' }],
    ['Grep', 'Grep', { pattern: 'x', path: '/etc' }],
    ['LSP', 'LSP', { operation: 'hover', filePath: '/etc/a.ts', line: 1, character: 1 }],
    ['Read', 'LSP', { operation: 'hover', filePath: '/etc/a.ts', line: 1, character: 1 }],
    ['Glob', 'Glob', { pattern: '*', path: '/etc' }],
    // Claude Code applies a rule for one reading tool to every reader, and rules for editing to reading.
    ['Read(//etc/**)', 'Grep', { pattern: 'x', path: '/etc' }],
    ['Edit(//**)', 'Read', { file_path: '/etc/passwd' }],
    ['Write', 'Write', { file_path: '/etc/passwd' }],
    ['Edit', 'Edit', { file_path: '/pp/a' }],
    ['NotebookEdit', 'NotebookEdit', { notebook_path: '/etc/a.ipynb' }],
    ['Edit(//**)', 'Write', { file_path: '/etc/passwd' }],
  ])('the rule %s covers no %s of %j', (rule, toolName, input) => {
    expect(judge(toolName, input, 'default', { allowedTools: [rule], folders })).toEqual(outside);
    expect(judge(toolName, input, 'default', { grantedRules: [rule], folders })).toEqual(outside);
    expect(judge(toolName, input, 'default', { allowedTools: [rule] })).toBe('pass');
  });

  it('a rule covers every path inside them', () => {
    const allowed = { allowedTools: ['Read', 'Write'], folders };

    expect(judge('Read', { file_path: '/p/a' }, 'default', allowed)).toBe('pass');
    expect(judge('Write', { file_path: '/q/b/c' }, 'default', allowed)).toBe('pass');
  });

  it('Claude Code decides about paths outside them if nothing is pre-approved', () => {
    expect(judge('Read', { file_path: '/etc/passwd' }, 'default', { folders })).toBe('pass');
    expect(judge('Write', { file_path: '/etc/passwd' }, 'default', { folders, allowedTools: ['Read'] })).toBe(
      'pass',
    );
  });

  it('a path that the operator listed counts as inside, for the tools of that rule', () => {
    const listed = { folders, allowedTools: ['Read', 'Write'], operatorRules: ['Read(//etc/**)', 'Write'] };

    expect(judge('Read', { file_path: '/etc/passwd' }, 'default', listed)).toBe('pass');
    expect(judge('Read', { file_path: '/var/log' }, 'default', listed)).toEqual(outside);
    expect(judge('Write', { file_path: '/etc/passwd' }, 'default', listed)).toEqual(outside);
  });

  it.each([
    'Read(//etc/hosts)',
    'Read(//etc/*.conf)',
    'Read(//**/hosts)',
    'Edit(//etc/hosts)',
    'Read(//etc/h?sts)',
  ])('a whole tool reads nothing beyond the rule that the operator listed: %s', (rule) => {
    const listed = { folders, operatorRules: [rule] };
    const whole = { ...listed, allowedTools: ['Read', rule] };

    expect(judge('Read', { file_path: '/etc/passwd' }, 'default', whole)).toEqual(outside);
    // Claude Code itself compares the path with the pattern.
    expect(judge('Read', { file_path: '/etc/x' }, 'default', { ...listed, allowedTools: [rule] })).toBe(
      'pass',
    );
  });

  describe('a command that could read files that it does not name', () => {
    const unnamed = { ask: 'This command can read files that it does not name', isGrantable: true };
    const input = { command: 'ls | xargs head' };

    it('needs approval in every mode that asks, by every tool that runs commands', () => {
      for (const mode of ['default', 'acceptEdits', 'dontAsk', 'auto'])
        for (const toolName of ['Bash', 'Monitor'])
          expect(judge(toolName, input, mode, { folders })).toEqual(unnamed);
      expect(judge('Bash', input, 'default', { folders, allowedTools: ['Bash(ls)'] })).toEqual(unnamed);
      expect(judge('Bash', input, 'default', { folders, isHumanOnly: true })).toEqual(unnamed);
    });

    it('runs where commands are pre-approved, nothing is asked, or reading has no bounds', () => {
      expect(judge('Bash', input, 'default', { folders, allowedTools: ['Bash'] })).toBe('pass');
      expect(judge('Bash', input, 'bypassPermissions', { folders })).toBe('pass');
      expect(judge('Bash', input, 'default', {})).toBe('pass');
    });
  });

  it('a whole tool reads the file that the operator listed', () => {
    const listed = { folders, allowedTools: ['Read'], operatorRules: ['Read(//etc/hosts)'] };

    expect(judge('Read', { file_path: '/etc/hosts' }, 'default', listed)).toBe('pass');
  });

  it.each(['cat /etc/passwd', 'head -n 1 ../secret', 'ls ..', 'grep -n word src /etc'])(
    'a command that reads elsewhere needs approval: %s',
    (command) => {
      for (const isHumanOnly of [true, false])
        expect(judge('Bash', { command }, 'default', { folders, isHumanOnly })).toEqual(outside);
      expect(judge('Bash', { command }, 'default')).toBe('pass');
    },
  );

  it('a command reads the folder that the operator listed, if reading is pre-approved', () => {
    const listed = { folders, operatorRules: ['Read(//usr/include/**)', 'Read(//srv/*.md)'] };
    const command = 'cat /usr/include/stdio.h';

    expect(judge('Bash', { command }, 'default', { ...listed, allowedTools: ['Read'] })).toBe('pass');
    expect(judge('Bash', { command }, 'default', listed)).toEqual(outside);
    expect(
      judge('Bash', { command: 'cat /srv/a.md' }, 'default', { ...listed, allowedTools: ['Read'] }),
    ).toEqual(outside);
  });

  it.each(['cat a.txt', 'ls -la src', 'grep -n word src', 'tail -n 5 /q/log', 'echo /etc', 'pwd'])(
    'a command that reads inside them passes: %s',
    (command) => {
      for (const isHumanOnly of [true, false])
        expect(judge('Bash', { command }, 'default', { folders, isHumanOnly })).toBe('pass');
    },
  );

  it.each(['Read', 'Read(//**)', 'Read(~/**)', 'Edit(//**)'])(
    'a rule of the project does not let a tool read beyond them: %s',
    (rule) => {
      const changes = { folders, projectRules: [rule] };

      expect(judge('Read', { file_path: '/etc/passwd' }, 'default', changes)).toEqual({
        ask: "This path is outside the session's folders",
        isGrantable: true,
      });
      expect(judge('Read', { file_path: '/p/a' }, 'default', changes)).toBe('pass');
    },
  );

  it('Claude Code decides about reading beyond them that no rule of the project could allow', () => {
    const changes = { folders, projectRules: ['Read(src/**)', 'Read(//p/**)', 'Bash(ls)'] };

    expect(judge('Read', { file_path: '/etc/passwd' }, 'default', changes)).toBe('pass');
  });

  it('Claude Code decides about programs that it asks about', () => {
    expect(judge('Bash', { command: 'npm test' }, 'default', { folders })).toBe('pass');
  });
});

describe.each([
  ['WebFetch', { url: 'https://example.com/?q=words', prompt: 'x' }],
  ['WebSearch', { query: 'words' }],
])('%s, which can carry data out,', (toolName, input) => {
  const modes = ['default', 'acceptEdits', 'dontAsk', 'plan'];

  it('needs the approval of a person with human-only approvals, regardless of rules', () => {
    const ask = {
      ask: 'This server asks a person before each call that can change or send something. Allow it if you want it to run',
      isGrantable: true,
    };

    expect(modes.map((mode) => judge(toolName, input, mode, { isHumanOnly: true }))).toEqual(
      modes.map(() => ask),
    );
  });

  it('passes where Claude Code decides, or if the operator lets callers pre-approve it', () => {
    expect(modes.map((mode) => judge(toolName, input, mode))).toEqual(modes.map(() => 'pass'));
    expect(judge(toolName, input, 'default', { isHumanOnly: true, allowedTools: [toolName] })).toBe('pass');
  });
});

describe('a call whose effect outlasts the session, or that reads from an MCP server', () => {
  const memory = '/home/u/.claude/projects/-p/memory';

  it.each([
    ['CronCreate', { cron: '* * * * *', prompt: 'x', durable: true }],
    ['CronCreate', { cron: '* * * * *', prompt: 'x', durable: 'yes' }],
    ['CronDelete', { id: 'a' }],
    ['EnterWorktree', { name: 'a' }],
    ['ExitWorktree', { action: 'remove', discard_changes: true }],
    ['ExitWorktree', {}],
    ['Agent', { prompt: 'x', isolation: 'worktree' }],
    ['ReadMcpResourceTool', { server: 'notes', uri: 'note://1' }],
    ['ReadMcpResourceDirTool', { server: 'notes', uri: 'note://' }],
    ['Write', { file_path: `${memory}/MEMORY.md`, content: 'x' }],
    ['Edit', { file_path: `${memory}/a/b.md` }],
    ['Write', { file_path: '/home/u/.claude/agent-memory/a/MEMORY.md' }],
    ['Write', { file_path: '/p/.claude/agent-memory/a/MEMORY.md' }],
    ['Write', { file_path: '/p/.claude/agent-memory-local/a/MEMORY.md' }],
    ['Bash', { command: `echo x > ${memory}/MEMORY.md` }],
    ['Bash', { command: `rm -r ${memory}` }],
  ])('needs approval although Claude Code would not ask: %s %j', (toolName, input) => {
    for (const mode of ['default', 'acceptEdits', 'dontAsk', 'auto'])
      expect(judge(toolName, input, mode)).toMatchObject({ isGrantable: true });
    expect(judge(toolName, input, 'plan')).toMatchObject({ ask: 'Plan mode is read-only' });
    expect(judge(toolName, input, 'bypassPermissions')).toBe('pass');
  });

  it.each([
    ['CronCreate', { cron: '* * * * *', prompt: 'x' }],
    ['CronCreate', { cron: '* * * * *', prompt: 'x', durable: false }],
    ['CronList', {}],
    ['ListMcpResourcesTool', {}],
    ['ScheduleWakeup', { delaySeconds: 60 }],
    ['ExitWorktree', { action: 'keep' }],
    ['Agent', { prompt: 'x' }],
    ['Read', { file_path: `${memory}/MEMORY.md` }],
    ['Bash', { command: `cat ${memory}/MEMORY.md` }],
    ['Write', { file_path: '/p/memory/a.md' }],
    ['Write', { file_path: '/p/projects/x/memory/a.md' }],
  ])('is none of these: %s %j', (toolName, input) => {
    expect(judge(toolName, input, 'default')).toBe('pass');
  });
});

it('an edit in a hidden folder that nobody knows needs approval in every mode but bypassPermissions', () => {
  const input = { file_path: '/p/.newagent/hooks.json' };
  const decide = (mode: string) => judge('Write', input, mode, { ownFolders: ['/p'] });

  for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto'])
    expect(decide(mode)).toEqual({
      ask: 'This file is in a hidden folder, from which other tools may start programs',
      isGrantable: false,
    });
  expect(decide('bypassPermissions')).toBe('pass');
  expect(judge('Read', input, 'acceptEdits', { ownFolders: ['/p'] })).toBe('pass');
});

describe('a session that has moved into a worktree elsewhere', () => {
  const moved = { ownFolders: ['/p'], enteredFolders: ['/w'] };
  const inWorktree = { file_path: '/w/a', path: '/w' };
  const outside = { ask: "This path is outside the session's folders", isGrantable: true };

  it('asks about hidden folders there', () => {
    expect(judge('Write', { file_path: '/w/.newagent/a' }, 'acceptEdits', moved)).toMatchObject({
      ask: 'This file is in a hidden folder, from which other tools may start programs',
    });
    expect(judge('Write', inWorktree, 'acceptEdits', moved)).toBe('pass');
  });

  it.each(['Read', 'Grep', 'Edit', 'Write'])('asks about each %s there if reading is bounded', (toolName) => {
    const bounded = { ...moved, folders: ['/p'] };

    const decided = ['default', 'acceptEdits', 'bypassPermissions'].map((mode) =>
      judge(toolName, inWorktree, mode, bounded),
    );

    expect(decided).toEqual([outside, outside, 'pass']);
    expect(judge(toolName, { file_path: '/p/a', path: '/p' }, 'acceptEdits', bounded)).toBe('pass');
  });

  it('has been asked about it, with what it means', () => {
    expect(judge('EnterWorktree', { path: '/w' }, 'default')).toEqual({
      ask: 'This moves the session into another worktree. There, Claude reads and edits as in its own folder and, if the session loads project files, follows instructions such as CLAUDE.md',
      isGrantable: true,
    });
    expect(judge('EnterWorktree', { path: '' }, 'default')).toMatchObject({
      ask: expect.stringMatching('^This runs git'),
    });
  });
});

describe('a subagent whose definition may ask for a worktree', () => {
  const decide = (permissionMode: string, isolation: 'worktree' | 'unknown', isHumanOnly = false): unknown =>
    judgeToolCall(
      {
        toolUseId: 't',
        toolName: 'Agent',
        input: { prompt: 'x', subagent_type: 'a' },
        permissionMode,
        targets: [],
        isolation,
      },
      { ...facts, isHumanOnly },
    );

  it('needs approval like a call that asks for one, in every mode but bypassPermissions', () => {
    for (const mode of ['default', 'acceptEdits', 'dontAsk', 'auto'])
      expect(decide(mode, 'worktree')).toMatchObject({ isGrantable: true });
    expect(decide('plan', 'worktree')).toMatchObject({ ask: 'Plan mode is read-only' });
    expect(decide('bypassPermissions', 'worktree')).toBe('pass');
  });

  it('needs approval only in plan mode and from people if no file that is known defines it', () => {
    expect(decide('default', 'unknown')).toBe('pass');
    expect(decide('plan', 'unknown')).toMatchObject({ ask: 'Plan mode is read-only' });
    expect(decide('default', 'unknown', true)).toMatchObject({ isGrantable: true });
  });
});

describe('a skill', () => {
  const held = { ask: 'A skill can read files that its arguments name', isGrantable: true };
  const bounded = { folders: ['/p'] };

  it.each([
    [{ skill: 'run' }, {}, 'pass'],
    [{ skill: 'run', args: '' }, bounded, 'pass'],
    [{ skill: 'run', args: 'the tests' }, {}, 'pass'],
    // A command of the user may say `@$ARGUMENTS`.
    [{ skill: 'run', args: 'notes.txt' }, bounded, held],
    [{ skill: 'run', args: '@/home/u/.ssh/id_rsa' }, bounded, held],
    [{ skill: 'run', args: '@/home/u/.ssh/id_rsa' }, {}, held],
    [{ skill: 'run', args: 'a "@b"' }, { allowedTools: ['Skill'] }, held],
    [{ skill: 'run', other: ['@/etc/passwd'] }, {}, held],
  ])('%j, %j', (input, changes, expected) => {
    expect(judge('Skill', input, 'default', changes)).toEqual(expected);
  });
});
