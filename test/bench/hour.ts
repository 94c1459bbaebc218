/** A scaled hour with three approvals: the calls and bytes that it costs to supervise a session. Deterministic. */
import { limitsOf } from '../../src/mcp/clients/limits.js';
import { hourOfPolling, hourOfWaiting } from '../kit/hour.js';
import { defineRow } from './row.js';

export const hour = defineRow({
  name: 'hour',
  budget: {
    patientCalls: { what: 'an hour, client that allows 300 s', max: 15, unit: 'calls' },
    patientBytes: { what: 'an hour, client that allows 300 s', max: 3_500, unit: 'bytes' },
    strictCalls: { what: 'an hour, client that allows 45 s', max: 85, unit: 'calls' },
    strictBytes: { what: 'an hour, client that allows 45 s', max: 9_000, unit: 'bytes' },
    pollingBytes: { what: 'an hour of claude_get_status with cursor', max: 40_000, unit: 'bytes' },
  },
  async measure() {
    const patient = await hourOfWaiting(clientNamed('claude-code', '2.1.325'));
    const strict = await hourOfWaiting(clientNamed('some-client', '1.0.0'));
    const polling = await hourOfPolling();
    const approvals = [patient, strict, polling].map((cost) => cost.approvals);
    if (approvals.some((count) => count !== 3)) throw new Error(`approvals: ${approvals.join(', ')}`);
    return {
      values: {
        patientCalls: patient.calls,
        patientBytes: patient.bytes,
        strictCalls: strict.calls,
        strictBytes: strict.bytes,
        pollingBytes: polling.bytes,
      },
      detail: `claude_get_status every 30 s: ${polling.calls} calls`,
    };
  },
});

function clientNamed(name: string, version: string) {
  return { name, version, waitMs: limitsOf(`${name} ${version}`, true).waitMs };
}
