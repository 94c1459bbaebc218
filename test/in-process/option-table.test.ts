import { expect, it, onTestFinished } from 'vitest';
import { sessionOptions } from '../../src/core/options/index.js';
import { rowsFor } from '../e2e/option-rows.js';
import { trials } from '../e2e/option-trials.js';
import { ownTrials } from '../e2e/own-option-trials.js';
import { startInProcess } from '../kit/in-process.js';
import { createSandbox } from '../kit/sandbox.js';

it('tests every option, here or with the real Claude Code', () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());

  const tested = [rowsFor(sandbox), trials, ownTrials].flatMap((table) => Object.keys(table));

  expect(tested.toSorted()).toEqual(Object.keys(sessionOptions).toSorted());
});

it.each(Object.entries(ownTrials))('applies or refuses %s itself', async (_, tryIt) => {
  await tryIt(await startInProcess({ era: 'modern' }));
});
