import { join } from 'node:path';
import { describe } from 'vitest';
import { streamThenHang, text, tool } from '../kit/model-steps.js';
import { describeScenarios, prompts } from '../live/scenarios.js';
import { startSessions } from '../kit/sessions-moves.js';

// So that they still fit when somebody runs them on the API with `npm run test:e2e`.
describe('the scenarios for the API, on a scripted model', () => {
  describeScenarios(async () => {
    const scene = await startSessions({ era: 'modern' });
    const { model, sandbox } = scene;
    model.when(prompts.word, [text('Heron')]);
    model.when(prompts.again, [text('It was heron.')]);
    model.when(prompts.count, [streamThenHang('one\ntwo\nthree')]);
    const input = { file_path: join(sandbox.project, 'heron.txt'), content: 'heron' };
    model.when(prompts.write, [tool('Write', input), text('Done.')]);
    return scene;
  });
});
