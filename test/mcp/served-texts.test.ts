import { describe, expect, it } from 'vitest';
import { ToolCensus } from '../../src/core/claude/tool-census.js';
import { sessionOptions } from '../../src/core/options/index.js';
import { referenceResources } from '../../src/mcp/resources/reference.js';
import { toWireSchema } from '../../src/mcp/wire-schema.js';
import { asyncVocabulary, checkRespondsVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { codexVocabulary } from '../../src/toolsets/codex/vocabulary.js';
import { configureVocabulary } from '../../src/toolsets/configure/vocabulary.js';
import { queryVocabulary } from '../../src/toolsets/query/vocabulary.js';
import { sessionsVocabulary } from '../../src/toolsets/sessions/vocabulary.js';
import {
  actionsOfTools,
  choicesIn,
  errorTexts,
  everySetOfTools,
  keysOfTools,
  servedTexts,
  toolsOf,
  turnTexts,
  type Served,
} from './served-texts.js';

const nameOf = ({ toolsets, checkResponds }: Served): string =>
  `${toolsets.join(', ')}${checkResponds ? ' with four tools' : ''}`;

const every = await Promise.all(
  everySetOfTools.map(async (served) => ({ served, tools: await toolsOf(served) })),
);
const everyKey = new Set(every.flatMap(({ tools }) => [...keysOfTools(tools)]));
/** Keys that no sentence contains by chance. */
const tellingKeys = new Set([...everyKey].filter((key) => /[A-Z]/.test(key) || key === 'cwd'));

/** What the rules of this test do not apply to: the name of a preset, and options that a session got elsewhere. */
const exempt = /preset"?: ?"claude_code"|preset:"claude_code"|option "[\w.]+"/g;

describe.each(every.map(({ served, tools }) => [nameOf(served), served, tools] as const))(
  'with %s, every text',
  (_name, served, tools) => {
    it('names only tools that are served', async () => {
      const names = new Set(tools.map(({ name }) => name));
      const strangers = (await servedTexts(served)).flatMap(([what, text]) =>
        [...text.replace(exempt, '').matchAll(/\bclaude_[a-z_]+\b/g)]
          .filter(([name]) => !names.has(name))
          .map(([name]) => `${what}: ${name}`),
      );

      expect(strangers).toEqual([]);
    });

    it('names only keys that a served tool has', async () => {
      const keys = keysOfTools(tools);
      const strangers = (await servedTexts(served)).flatMap(([what, text]) =>
        [...text.replace(exempt, '').matchAll(/\b[a-z]\w*\b/g)]
          .filter(([word]) => tellingKeys.has(word) && !keys.has(word))
          .map(([word]) => `${what}: ${word} in ${text}`),
      );

      expect(strangers).toEqual([]);
    });

    it('is whole', async () => {
      const broken = (await servedTexts(served)).filter(([, text]) => /undefined|\s\s|\.\./.test(text));

      expect(broken.filter(([what]) => !/^(resource|form) /.test(what))).toEqual([]);
    });
  },
);

it('no two tools have the same title', async () => {
  const tools = await toolsOf({
    toolsets: ['async', 'sessions', 'query', 'configure'],
    checkResponds: false,
  });

  expect(new Set(tools.map(({ title }) => title)).size).toBe(tools.length);
});

describe('the instructions and next steps of', () => {
  it.each(every.map(({ served, tools }) => [nameOf(served), served, tools] as const))(
    '%s name only actions that are served',
    async (_name, served, tools) => {
      const actions = actionsOfTools(tools);
      const texts = (await servedTexts(served)).filter(([what]) => !/_missing$|_misfit$/.test(what));
      const strangers = texts.flatMap(([what, text]) =>
        [...text.matchAll(/\baction:? "(\w+)"/g)]
          .filter(([, action = '']) => !actions.has(action))
          .map(([, action]) => `${what}: ${action}`),
      );

      expect(strangers).toEqual([]);
    },
  );
});

it.each(
  every
    .filter(({ served }) => served.toolsets.length === 1)
    .map(({ served, tools }) => [nameOf(served), tools] as const),
)(
  '%s calls every option by a key that its tools have, and no key that they have an option of others',
  (_name, tools) => {
    const keys = keysOfTools(tools);
    for (const { vocabulary } of tools) {
      const named = Object.keys(sessionOptions).filter((option) => vocabulary.has(option));

      expect(named.filter((option) => !keys.has(vocabulary.keys(option)))).toEqual([]);
      expect(
        Object.keys(sessionOptions).filter((option) => keys.has(option) && !vocabulary.has(option)),
      ).toEqual([]);
    }
  },
);

it.each([
  [['async'], 'Use "default" and answer requests with claude_code_respond'],
  [
    ['sessions', 'configure'],
    'Enable it with claude_code_configure, use "default" and answer requests with claude_respond',
  ],
  [['query'], 'Use "default", or use "acceptEdits"'],
] as const)('a refused bypass in %j says how it can be had there', async (toolsets, words) => {
  const [tool] = await toolsOf({ toolsets, checkResponds: false });
  if (tool === undefined) throw new Error('no tool is served');
  const texts = new Map(errorTexts(tool.vocabulary));

  expect(texts.get('bypass_refused')).toContain(words);
});

/** As a caller writes them in a call. */
const quotedModes = /"(default|acceptEdits|plan|dontAsk|auto|bypassPermissions)"/g;

it.each([['async'], ['sessions'], ['query'], ['codex']] as const)(
  'a refused mode is named in %j, and another offered, as its tools take it',
  async (toolset) => {
    const tools = await toolsOf({ toolsets: [toolset], checkResponds: false });
    const values = new Set(tools.flatMap(({ input }) => choicesIn(toWireSchema(input))));
    const texts = tools
      .filter(({ vocabulary }) => vocabulary.has('permissionMode'))
      .flatMap(({ vocabulary }) => errorTexts(vocabulary))
      .filter(([reason]) => /^mode_|^bypass_refused$/.test(reason));
    const strangers = texts.flatMap(([, text]) =>
      // What the operator writes is Claude Code's own name.
      [...text.replace(/ask the operator .*/, '').matchAll(quotedModes)].filter(
        ([, mode = '']) => !values.has(mode) && !text.includes(`option "permissionMode" "${mode}"`),
      ),
    );

    expect(texts.length).toBeGreaterThan(0);
    expect(strangers.map(([mode]) => mode)).toEqual([]);
  },
);

it('a refused bypass in the codex tools is called what their callers wrote', async () => {
  const texts = new Map(errorTexts(codexVocabulary));

  expect(texts.get('bypass_refused')).toMatch(
    /callers may not use sandbox "danger-full-access" on this server\. Use "read-only", or use "workspace-write"\./,
  );
});

it.each(every.map(({ served, tools }) => [nameOf(served), tools] as const))(
  'with %s, a session that is busy, or has no result yet, has a next step',
  (_name, tools) => {
    const texts = tools
      .filter(({ vocabulary }) => vocabulary.startAgain !== undefined)
      .flatMap(({ vocabulary }) => errorTexts(vocabulary))
      .filter(([reason]) => /^(session_busy|no_result_yet)$/.test(reason));

    expect(texts.filter(([, text]) => !/\. [A-Z]/.test(text))).toEqual([]);
  },
);

it.each(['agent unknown', 'not ready'])(
  'after a start that failed when its call had returned (%s), the next step is one of the session',
  (failure) => {
    const step = new Map(turnTexts(asyncVocabulary)).get(failure);

    expect(step).toMatch(/Options of this session go in diskResumeConfig of claude_code_reply\.$/);
    expect(step).not.toContain('advanced.');
  },
);

it('a page past the end says where to go on, in the words of every tool that pages', () => {
  const vocabularies = [
    asyncVocabulary,
    checkRespondsVocabulary,
    sessionsVocabulary,
    queryVocabulary(undefined),
    codexVocabulary,
  ];
  const texts = vocabularies.map((words) => new Map(errorTexts(words)).get('offset_past_end'));

  expect(texts.filter((text) => !text?.endsWith('Start at 0 and continue with nextOffset.'))).toEqual([]);
});

it.each([
  ['sessions', sessionsVocabulary],
  ['query', queryVocabulary(undefined)],
] as const)(
  'a rule outside the folders is not answered in %s with an option of other tools',
  (_name, words) => {
    const text = new Map(errorTexts(words)).get('pre_approval_outside');

    expect(text).toContain('Leave it out');
    expect(text).not.toContain('additionalDirectories');
  },
);

it.each([
  [
    'async',
    asyncVocabulary,
    'Reply with resumeInterrupted: true to run it again, or reply with another prompt.',
  ],
  ['sessions', sessionsVocabulary, 'Send another message to continue the session.'],
  ['codex', codexVocabulary, 'Call codex-reply to continue the session.'],
])(
  'after a turn that ended with its server, %s says how to go on, and how to keep servers',
  (_name, words, step) => {
    const texts = new Map(turnTexts(words));

    expect(texts.get('server_restarted')).toBe(
      `${step} If the server ends with every call, ask the operator to start it with \`claude-code-mcp connect\`, which keeps sessions running.`,
    );
  },
);

it.each([
  [['async'], ['options', 'tools']],
  [['sessions', 'query', 'configure'], ['tools']],
] as const)('the reference of %j is about what is served', async (toolsets, names) => {
  const tools = await toolsOf({ toolsets, checkResponds: false });

  expect(referenceResources(new ToolCensus(), tools).map(({ name }) => name)).toEqual(names);
});

it('looks at every tool, key and reason', () => {
  expect(everySetOfTools).toHaveLength(27);
  for (const key of [
    'workingDirectory',
    'inputId',
    'pendingInputs',
    'diskResumeConfig',
    'resumeToken',
    'requestId',
    'cwd',
  ])
    expect(tellingKeys).toContain(key);
  expect(errorTexts(asyncVocabulary).length).toBeGreaterThan(100);
});

it.each([
  ['async', asyncVocabulary],
  ['async-four-tools', checkRespondsVocabulary],
  ['sessions', sessionsVocabulary],
  ['query', queryVocabulary(undefined)],
  ['query-beside-async', queryVocabulary(asyncVocabulary)],
  ['configure', configureVocabulary],
  ['codex', codexVocabulary],
])('the errors of %s read as they were agreed', async (name, vocabulary) => {
  const lines = [
    ...errorTexts(vocabulary).map(([reason, text]) => `${reason}\n  ${text}`),
    ...turnTexts(vocabulary).map(([subtype, text]) => `turn ${subtype}\n  ${text}`),
  ];

  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../__errors__/${name}.txt`);
});
