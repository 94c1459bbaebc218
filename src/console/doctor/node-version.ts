import type { Finding } from './check.js';

const oldest = 20;

export function checkNode(version: string): Finding {
  const major = Number.parseInt(version.replace(/^v/, ''), 10);
  return major >= oldest
    ? { id: 'node', status: 'ok', message: `Node ${version}` }
    : {
        id: 'node',
        status: 'fail',
        message: `Node ${version} is too old.`,
        fix: `Install Node ${oldest} or later.`,
      };
}
