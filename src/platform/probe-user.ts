import { execFile } from 'node:child_process';
import { asNumber, isObject, parseJson } from '../core/json.js';
import type { SystemUser } from '../core/processes.js';
import type { ProbeQuestion, ProbeReport } from './user-probe.js';

const limitMs = 10_000;

/** Asks a process of this user what it can do. Rejects if the user cannot run the script. */
export function probeUser(user: SystemUser, script: string, question: ProbeQuestion): Promise<ProbeReport> {
  return new Promise((resolve, reject) => {
    const { uid, gid } = user;
    const options = { uid, gid, cwd: '/', env: {}, timeout: limitMs };
    const child = execFile(process.execPath, [script], options, (error, stdout) => {
      const report = parseJson(stdout);
      if (error !== null) reject(error);
      else if (isReport(report)) resolve(report);
      else reject(new Error('its answer could not be read'));
    });
    // Its exit says more than a failed write.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(question));
  });
}

function isReport(value: unknown): value is ProbeReport {
  return isObject(value) && asNumber(value['uid']) !== undefined && Array.isArray(value['exposed']);
}
