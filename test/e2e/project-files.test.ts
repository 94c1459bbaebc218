import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shareScene, type Scene } from '../kit/fixture.js';
import { text, tool, type ScriptStep } from '../kit/model-steps.js';
import { marker, plantNothing, plantProjectFiles } from '../kit/project-files.js';

interface Folders {
  readonly planted: string;
  readonly plain: string;
}

function plant({ sandbox }: Scene): Folders {
  const [planted, plain] = [join(sandbox.root, 'planted'), join(sandbox.root, 'plain')];
  for (const folder of [planted, plain]) mkdirSync(folder);
  mkdirSync(join(sandbox.root, 'traces'));
  plantProjectFiles(planted, (name) => `touch '${join(sandbox.root, 'traces', name.replaceAll('/', ' '))}'`);
  plantNothing(plain);
  const agents = join(sandbox.configDir, 'agents');
  mkdirSync(agents);
  for (const [name, memory] of keepers)
    writeFileSync(
      join(agents, `${name}.md`),
      `---\nname: ${name}\ndescription: d\nmemory: ${memory}\n---\nRemember.`,
    );
  return { planted, plain };
}

/** Agents of the user that keep a memory in the project. */
const keepers = [
  ['wren', 'project'],
  ['robin', 'local'],
] as const;

/** Starts one of them, and waits for it. */
function keeper([name]: (typeof keepers)[number]): ScriptStep {
  const input = { description: 'd', prompt: 'p', subagent_type: name, run_in_background: false };
  return tool('Agent', input);
}

function traces({ sandbox }: Scene): string[] {
  return readdirSync(join(sandbox.root, 'traces')).toSorted();
}

/** What the model is sent in a session that uses whatever a project can offer, without what differs each time. */
async function requestsFrom(
  { server, model }: Scene,
  cwd: string,
  { folders, ...args }: Record<string, unknown> & { folders: Folders },
): Promise<string> {
  const prompt = `look around in ${cwd} ${Object.keys(args).join()}`;
  model.when(prompt, [
    tool('Read', { file_path: join(cwd, 'file.ts') }),
    tool('Bash', { command: `cat ${join(cwd, 'file.ts')}` }),
    tool('Skill', { skill: 'fly' }),
    tool('Skill', { skill: 'sing' }),
    tool('Agent', { description: 'd', prompt: 'p', subagent_type: 'bird' }),
    tool('Workflow', { name: 'migrate' }),
    ...keepers.map(keeper),
    text('looked'),
  ]);
  const { json } = await server.call('claude_code', { prompt, cwd, waitMs: 25_000, ...args });
  expect(json).toMatchObject({ status: 'idle', result: { result: 'looked', isError: false } });
  const requests = model.requests(json.sessionId);
  expect(requests).toHaveLength(9 + keepers.length);
  const slug = (folder: string): string => folder.replaceAll(/[^A-Za-z0-9]/g, '-');
  return (
    [folders.planted, folders.plain]
      .flatMap((folder) => [folder, slug(folder)])
      .reduce(
        (sent, path) => sent.replaceAll(path, 'FOLDER'),
        JSON.stringify(
          requests.map(({ body }) => body),
          undefined,
          1,
        ),
      )
      // Claude Code offers them wherever there are scheduled tasks.
      .replaceAll(String.raw`CronDelete\nCronList\n`, '')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replaceAll(/[0-9a-f]{64}/g, 'DEVICE')
      .replaceAll(/\ba[0-9a-f]{16}\b/g, 'AGENT')
      .replaceAll(/duration_ms: \d+/g, 'DURATION')
  );
}

describe('an untrusted repository', () => {
  const scene = shareScene({ era: 'modern' });

  it('changes nothing that the model is sent, and runs nothing', async () => {
    const folders = plant(scene());
    const { planted, plain } = folders;

    const [inPlanted, inPlain, besidePlanted] = await Promise.all([
      requestsFrom(scene(), planted, { folders }),
      requestsFrom(scene(), plain, { folders }),
      requestsFrom(scene(), join(plain, 'sub'), {
        folders,
        advanced: { additionalDirectories: [planted] },
      }),
    ]);

    expect(inPlanted).toBe(inPlain);
    expect(besidePlanted).not.toContain(marker);
    expect(traces(scene())).toEqual([]);
  });
});

describe('an untrusted folder inside a repository (cli)', () => {
  const scene = shareScene({ era: 'modern', env: { CLAUDE_CODE_MCP_BACKEND: 'cli' } });

  it('changes nothing that the model is sent, and runs nothing', async () => {
    const folders = plant(scene());
    const { planted, plain } = folders;

    const [inPlanted, inPlain] = await Promise.all([
      requestsFrom(scene(), join(planted, 'sub'), { folders }),
      requestsFrom(scene(), join(plain, 'sub'), { folders }),
    ]);

    expect(inPlanted).toBe(inPlain);
    expect(traces(scene())).toEqual([]);
  });
});

describe('a trusted repository', () => {
  const scene = shareScene({ era: 'modern', env: { CLAUDE_CODE_MCP_TRUSTED_ROOTS: '/' } });

  it('is loaded, so that the tests above would notice', async () => {
    const { planted: cwd } = plant(scene());
    const { server, model } = scene();
    model.when('look', [
      tool('Read', { file_path: join(cwd, 'sub', 'file.ts') }),
      ...keepers.map(keeper),
      text('looked'),
    ]);

    const { json } = await server.call('claude_code', { prompt: 'look', cwd, waitMs: 25_000 });

    const sent = JSON.stringify(model.requests(json.sessionId).map(({ body }) => body));
    const found = new Set([...sent.matchAll(/OSPREY[:-]([\w./-]*\w)/g)].map(([, path]) => path));
    expect([...found]).toEqual(
      expect.arrayContaining([
        'CLAUDE.md',
        'CLAUDE.local.md',
        'imported.txt',
        '.claude/CLAUDE.md',
        '.claude/rules/all.md',
        '.claude/agents/bird.md',
        '.claude/commands/sing.md',
        '.claude/skills/fly/SKILL.md',
        '.claude/workflows/migrate.js',
        '.claude/output-styles/loud.md',
        '.claude/settings.local.json',
        '.claude/agent-memory/wren/MEMORY.md',
        '.claude/agent-memory-local/robin/MEMORY.md',
        'sub/CLAUDE.md',
        'sub/.claude/rules/all.md',
        'sub/.claude/skills/fly/SKILL.md',
        'branch',
        'commit',
        'file',
        'user',
      ]),
    );
    expect(traces(scene())).toEqual(
      expect.arrayContaining(['.mcp.json', 'apiKeyHelper', 'local settings hook', 'settings hook']),
    );
  });
});
