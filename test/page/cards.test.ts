import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { InputAsk } from '../../src/core/session/inputs.js';
import { cardOf } from '../../src/page/cards.js';
import type { Card } from '../../src/page/contract.js';
import { plainPolicy } from '../kit/policy.js';
import { blindRedactor, redactorOf } from '../kit/redactors.js';
import { startIn, type ManagerSceneOptions } from '../sessions/manager-scene.js';
import { createDeskScene, StreamPage } from './desk-scene.js';

/** The card of a request in a session in `project`. `prepare` sees the folder before. */
async function cardFor(
  askIn: (project: string) => Partial<InputAsk>,
  {
    prepare = () => undefined,
    ...options
  }: ManagerSceneOptions & { prepare?: (project: string) => void } = {},
): Promise<Card & { readonly project: string }> {
  const scene = await createDeskScene(options);
  prepare(scene.project);
  const { session, process } = await startIn(scene);
  void process.ask(askIn(scene.project));
  const [request] = session.view.openInputs;
  if (request === undefined) throw new Error('no request is open');
  const redactor = options.redactor ?? blindRedactor;
  return {
    ...(await cardOf(request, { sessions: scene.manager, redactor }, otherWork)),
    project: scene.project,
  };
}

describe('a card shows what runs', () => {
  it('as a command with its other keys', async () => {
    const { what } = await cardFor(() => ({
      input: { command: 'make', timeout: 5, run_in_background: true },
    }));

    expect(what).toEqual({ type: 'command', command: 'make', more: { timeout: 5, run_in_background: true } });
  });

  it('as the texts before and after an edit', async () => {
    const { what } = await cardFor(() => ({
      toolName: 'Edit',
      input: { file_path: '/p/a.txt', old_string: 'one', new_string: 'two', replace_all: true },
    }));

    expect(what).toEqual({
      type: 'edit',
      path: '/p/a.txt',
      before: 'one',
      after: 'two',
      isPart: true,
      more: { replace_all: true },
    });
  });

  it('as its whole input, if it has several edits that one diff would mix', async () => {
    const input = {
      file_path: '/p/a.txt',
      edits: [
        { old_string: 'kept', new_string: '' },
        { old_string: 'other', new_string: 'kept' },
      ],
    };

    const { what } = await cardFor(() => ({ toolName: 'MultiEdit', input }));

    expect(what).toEqual({ type: 'input', input });
  });

  it('as the present file and the text that replaces it', async () => {
    const { what, project } = await cardFor(
      (folder) => ({ toolName: 'Write', input: { file_path: join(folder, 'a.txt'), content: 'new\n' } }),
      { prepare: (folder) => writeFileSync(join(folder, 'a.txt'), 'old\n') },
    );

    expect(what).toEqual({
      type: 'edit',
      path: join(project, 'a.txt'),
      before: 'old\n',
      after: 'new\n',
      more: {},
    });
  });

  it('as a new file, if there is none', async () => {
    const { what } = await cardFor((folder) => ({
      toolName: 'Write',
      input: { file_path: join(folder, 'a.txt'), content: 'new\n' },
    }));

    expect(what).toMatchObject({ type: 'edit', before: undefined, after: 'new\n', more: {} });
    expect(what).not.toHaveProperty('note');
  });

  it.skipIf(process.platform === 'win32').each([
    ['outside the folders of the session', () => '/etc/hostname', /outside the session's folders/],
    ['behind a link that leads outside', (folder: string) => join(folder, 'link'), /outside the session's/],
    ['too long', (folder: string) => join(folder, 'long.txt'), /longer than 500,000 bytes/],
    ['not text', (folder: string) => join(folder, 'image.png'), /not text/],
    ['a folder', (folder: string) => join(folder, 'sub'), /cannot be read/],
  ])('but not the present file, if it is %s', async (_why, pathIn, note) => {
    const { what } = await cardFor(
      (folder) => ({ toolName: 'Write', input: { file_path: pathIn(folder), content: 'new' } }),
      {
        prepare: (folder) => {
          symlinkSync('/etc/hostname', join(folder, 'link'));
          writeFileSync(join(folder, 'long.txt'), 'x'.repeat(500_001));
          writeFileSync(join(folder, 'image.png'), 'PNG\0');
          mkdirSync(join(folder, 'sub'));
        },
      },
    );

    expect(what).toMatchObject({
      type: 'edit',
      before: undefined,
      after: 'new',
      note: expect.stringMatching(note),
    });
  });

  it.each([
    [
      { cell_id: 'c2', new_source: 'print(2)' },
      { before: 'a\nb', after: 'print(2)', more: { cell_id: 'c2' } },
    ],
    [
      { cell_id: 'cell-1', edit_mode: 'delete' },
      { before: 'a\nb', after: '', more: { cell_id: 'cell-1', edit_mode: 'delete' } },
    ],
    [
      { cell_id: 'c2', edit_mode: 'delete', new_source: 'print(2)' },
      { before: 'a\nb', after: '', more: { cell_id: 'c2', edit_mode: 'delete', new_source: 'print(2)' } },
    ],
    [
      { cell_id: 'cell-0', new_source: '' },
      { before: 'named', after: '' },
    ],
    [{ new_source: 'a' }, { before: undefined, note: expect.stringContaining('was not found') }],
  ])('as the cell of a notebook: %j', async (input, expected) => {
    const { what } = await cardFor(
      (folder) => ({ toolName: 'NotebookEdit', input: { notebook_path: join(folder, 'n.ipynb'), ...input } }),
      {
        prepare: (folder) =>
          writeFileSync(
            join(folder, 'n.ipynb'),
            JSON.stringify({
              cells: [
                { id: 'c1', source: 'x' },
                { id: 'c2', source: ['a\n', 'b'] },
                { id: 'cell-0', source: 'named' },
                { source: 'without an id' },
              ],
            }),
          ),
      },
    );

    expect(what).toMatchObject({ type: 'edit', ...expected });
  });

  it('as a plan, with the modes that may follow it', async () => {
    const ask = { kind: 'plan_review', toolName: 'ExitPlanMode' } as const;
    const { what, nextModes, accepts } = await cardFor(() => ({
      ...ask,
      input: { plan: '# Do it', planFilePath: '/p/plan.md', allowedPrompts: [{ tool: 'Bash' }] },
    }));
    const underHuman = await cardFor(() => ({ ...ask, input: { plan: '# Do it' } }), {
      policy: { ...plainPolicy, approvals: 'human' },
    });

    expect(what).toEqual({ type: 'plan', markdown: '# Do it', more: { allowedPrompts: [{ tool: 'Bash' }] } });
    expect(nextModes).toEqual(['default', 'acceptEdits']);
    expect(accepts).toEqual(['allow', 'deny']);
    expect(underHuman.nextModes).toEqual(['default']);
  });

  it('as questions with their options', async () => {
    const { what } = await cardFor(() => ({
      kind: 'user_question',
      toolName: 'AskUserQuestion',
      input: {
        questions: [
          {
            question: 'Which?',
            header: 'Pick',
            multiSelect: true,
            options: [{ label: 'A', description: 'first' }, { label: 'B' }],
          },
        ],
      },
    }));

    expect(what).toEqual({
      type: 'questions',
      questions: [
        {
          question: 'Which?',
          header: 'Pick',
          multiSelect: true,
          options: [
            { label: 'A', description: 'first' },
            { label: 'B', description: '' },
          ],
        },
      ],
    });
  });

  it('as its input, if it is of another kind or has not the usual keys', async () => {
    const other = await cardFor(() => ({ toolName: 'mcp__notes__add', input: { text: 'hi' } }));
    const odd = await cardFor(() => ({ toolName: 'Bash', input: { command: ['rm', 'x'] } }));

    expect(other.what).toEqual({ type: 'input', input: { text: 'hi' } });
    expect(odd.what).toEqual({ type: 'input', input: { command: ['rm', 'x'] } });
  });

  it('whole and with every character visible, however long it is', async () => {
    const command = `echo \u202egpj.exe \u001b[2K\u200b<img src=x onerror=alert(1)> ${'x'.repeat(50_000)}`;
    const { what, input, escaped } = await cardFor(() => ({ input: { command, description: '\\u{1b}' } }));
    const shown = `echo \\u{202e}gpj.exe \\u{1b}[2K\\u{200b}<img src=x onerror=alert(1)> ${'x'.repeat(50_000)}`;

    expect(what).toMatchObject({ type: 'command', command: shown });
    expect(input).toEqual({ command: shown, description: '\\u{5c}u{1b}' });
    expect(escaped).toEqual(['command', 'description']);
  });
});

it('a card says who asks, in whose words, and what a grant would cover', async () => {
  const card = await cardFor(() => ({
    agent: 'Explore',
    claudeSays: 'Just\u200b looking',
    reason: 'outside',
    blockedPath: '/etc/passwd',
    folder: '/p/sub',
    suggestedRules: ['Bash(npm test *)'],
    leadsTo: ['/real/place'],
    server: { broughtBy: 'caller', address: 'node x.js' },
  }));

  expect(card).toMatchObject({
    agent: 'Explore',
    claudeSays: 'Just\\u{200b} looking',
    reason: 'outside',
    blockedPath: '/etc/passwd',
    sessionTitle: 'do it',
  });
  expect(card.expiresAt).toBe(card.askedAt + 300_000);
});

it('a card with a masked secret can be neither edited nor allowed for the session', async () => {
  const secret = 'hunter2-hunter2-hunter2';
  const card = await cardFor(() => ({ input: { command: `curl -H ${secret} x` } }), {
    redactor: redactorOf(secret),
  });

  expect(card).toMatchObject({
    what: { command: 'curl -H [secret of 23 characters] x' },
    accepts: ['allow', 'deny'],
    isMasked: true,
    mayEdit: false,
  });
  expect(card).not.toHaveProperty('grant');
  expect(JSON.stringify(card)).not.toContain(secret);
});

describe('a request whose input is nested deeply', () => {
  /** Lists in lists. */
  function nested(levels: number): unknown {
    let value: unknown = 'deep\u200b';
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  }

  it('is shown like every other one', async () => {
    const { input, escaped } = await cardFor(() => ({ input: { command: 'make', x: nested(1_800) } }));

    expect(JSON.stringify(input)).toBe(
      `{"command":"make","x":${'['.repeat(1_800)}"deep\\\\u{200b}"${']'.repeat(1_800)}}`,
    );
    expect(escaped).toEqual(['x']);
  });
});

describe('a request that cannot be shown', () => {
  it('can only be denied, and other requests are shown', async () => {
    const logged: unknown[] = [];
    const scene = await createDeskScene({
      logger: {
        log(level, message, fields) {
          if (level === 'error') logged.push({ message, ...fields });
        },
      },
    });
    const { session, process } = await startIn(scene);
    let isOpen = false;
    const input = {
      get x() {
        if (isOpen) throw new RangeError('Maximum call stack size exceeded');
        return 1;
      },
    };
    void process.ask({ toolName: 'mcp__notes__add', input });
    void process.ask({ input: { command: 'make' } });
    isOpen = true;
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await new StreamPage(scene.desk).nextOf('inbox')).cards),
    );

    expect(first).toMatchObject([
      {
        sessionId: session.id,
        toolName: 'mcp__notes__add',
        summary: 'Use mcp__notes__add',
        what: { type: 'input', input: {} },
        reason: 'The server could not display this request, so it can only be denied here.',
        accepts: ['deny'],
        mayEdit: false,
      },
      { what: { command: 'make' }, accepts: ['allow', 'allow_for_session', 'deny'] },
    ]);
    expect(second).toEqual(first);
    expect(logged).toEqual([
      {
        message: 'a request could not be displayed',
        sessionId: session.id,
        requestId: first?.[0]?.requestId,
        reason: 'Maximum call stack size exceeded',
      },
    ]);
  });
});
