// Run as the child of a group leader: kills that leader and says so if it has not killed its own group with it.
import { killProcesses, listProcesses } from '../../src/platform/processes.js';

const parents = (await listProcesses()).filter(({ pid }) => pid === process.ppid);
await killProcesses(parents);
process.stdout.write(`outlived ${parents.length}\n`);
