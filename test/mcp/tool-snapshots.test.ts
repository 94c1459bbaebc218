import { describe, expect, it } from 'vitest';
import { checkRespondsTools } from '../../src/toolsets/async/check-responds.js';
import { asyncTools } from '../../src/toolsets/async/index.js';
import { configureTools } from '../../src/toolsets/configure/index.js';
import { asyncVocabulary } from '../../src/toolsets/async/wording/vocabulary.js';
import { queryTools } from '../../src/toolsets/query/index.js';
import { sessionsTools } from '../../src/toolsets/sessions/index.js';
import { listTools } from './list-tools.js';

describe('a client sees', () => {
  it.each([...asyncTools, ...sessionsTools].map(({ name }) => name))('%s as it was agreed', async (name) => {
    const tools = await listTools([...asyncTools, ...sessionsTools]);

    const tool = tools.find((one) => one.name === name);

    await expect(`${JSON.stringify(tool, undefined, 2)}\n`).toMatchFileSnapshot(
      `../__toolsnaps__/${name}.snap`,
    );
  });

  it('claude_code_configure as it was agreed', async () => {
    const [tool] = await listTools(configureTools);

    await expect(`${JSON.stringify(tool, undefined, 2)}\n`).toMatchFileSnapshot(
      '../__toolsnaps__/claude_code_configure.snap',
    );
  });

  it('claude_code_query as it was agreed', async () => {
    const [tool] = await listTools(queryTools({ maxExecutionMs: 300_000, async: asyncVocabulary }));

    await expect(`${JSON.stringify(tool, undefined, 2)}\n`).toMatchFileSnapshot(
      '../__toolsnaps__/claude_code_query.snap',
    );
  });

  it('claude_code_check that also answers, as it was agreed', async () => {
    const tools = await listTools(checkRespondsTools);

    const tool = tools.find(({ name }) => name === 'claude_code_check');

    await expect(`${JSON.stringify(tool, undefined, 2)}\n`).toMatchFileSnapshot(
      '../__toolsnaps__/claude_code_check.responds.snap',
    );
  });
});
