import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { denyAll } from '../kit/deny-all.js';
import { startScene, type Scene } from '../kit/fixture.js';
import { tool } from '../kit/model-steps.js';

const terminal = '22222222-2222-4222-8222-222222222222';

/** A folder in which the user's terminal has had a session. */
async function sceneOfTwo(
  env: Record<string, string> = {},
): Promise<Scene & { readonly records: string; readonly transcript: string }> {
  const scene = await startScene({ era: 'modern', env });
  const { project, configDir } = scene.sandbox;
  const records = join(configDir, 'projects', project.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  const transcript = join(records, `${terminal}.jsonl`);
  mkdirSync(records, { recursive: true });
  writeFileSync(transcript, '"hidden words"\n');
  return { ...scene, records, transcript };
}

function expectNothingSent({ model }: Scene): void {
  expect(JSON.stringify(model.requests().map(({ body }) => body)).includes('hidden words')).toBe(false);
}

describe.skipIf(process.platform !== 'linux')('a conversation of another session', () => {
  it.each(['agent-sdk', 'cli'])('is not read under another name without approval (%s)', async (backend) => {
    const scene = await sceneOfTwo({ CLAUDE_CODE_MCP_BACKEND: backend });
    const { records, transcript, sandbox } = scene;
    symlinkSync('/proc/self/root', join(sandbox.project, 'r'));
    symlinkSync(records, join(sandbox.project, 'records'));
    mkdirSync(join(sandbox.project, 'sub'));
    symlinkSync(records, join(sandbox.project, 'sub', 'link'));
    const commands = [
      `cat /proc/self/root${transcript}`,
      `grep -rh hidden /proc/thread-self/root${records}`,
      `cat r${transcript}`,
      `cat ?${transcript}`,
      `cat */${terminal}.jsonl`,
      `cat s?b/link/${terminal}.jsonl`,
      `grep -rh hidden /pro?/self/root${records}`,
      `cd /proc/self/root${records} && cat ${terminal}.jsonl`,
    ].map((command) => ({ command }));
    const read = { file_path: `/proc/self/root${transcript}` };

    const asked = await denyAll(
      scene,
      [...commands.map((input) => tool('Bash', input)), tool('Read', read)],
      { allowedTools: ['Read'] },
    );

    expect(asked).toEqual([...commands, read].map((input) => expect.objectContaining(input)));
    expectNothingSent(scene);
  });

  it('is not found without approval by a search that starts in a folder around it', async () => {
    const scene = await sceneOfTwo();
    const { configDir, project } = scene.sandbox;
    const searches = [configDir, dirname(configDir), '/'].map((path) => ({
      pattern: 'hidden [a-z]+',
      path,
      output_mode: 'content',
    }));
    const history = { file_path: join(configDir, 'history.jsonl') };
    writeFileSync(history.file_path, '"hidden words"\n');
    const inProject = { pattern: 'hidden', path: project };

    const asked = await denyAll(
      scene,
      [...searches.map((input) => tool('Grep', input)), tool('Read', history), tool('Grep', inProject)],
      { allowedTools: ['Read', 'Grep'], advanced: { tools: ['Read', 'Grep'] } },
    );

    expect(asked).toEqual([...searches, history].map((input) => expect.objectContaining(input)));
    expectNothingSent(scene);
  });
});
