import { expect, it } from 'vitest';
import { checkNode } from '../../../src/console/doctor/node-version.js';
import { reportOf, reportText } from '../../../src/console/doctor/report.js';

it('lists what was found, and what to do about each problem', () => {
  const report = reportOf([checkNode('v22.1.0'), checkNode('v18.0.0')]);

  const text = reportText(report, (_color, painted) => painted);

  expect({ report, text }).toEqual({
    report: {
      ok: false,
      checks: [
        { id: 'node', status: 'ok', message: 'Node v22.1.0' },
        {
          id: 'node',
          status: 'fail',
          message: 'Node v18.0.0 is too old.',
          fix: 'Install Node 20 or later.',
        },
      ],
    },
    text: '✓ Node v22.1.0\n✗ Node v18.0.0 is too old.\n    Install Node 20 or later.\n',
  });
});
