/** Runs doctor where the API of Anthropic may be out of reach: its session talks to a model on loopback anyway. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const api = createServer((socket) => socket.on('error', () => undefined));
await once(api.listen(0, '127.0.0.1'), 'listening');
const env = {
  ...process.env,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${api.address().port}`,
  // It needs one, and sends it nowhere else.
  ANTHROPIC_API_KEY: 'none',
};
const doctor = spawn(process.execPath, ['dist/claude-code-mcp.js', 'doctor'], { env, stdio: 'inherit' });
const [code] = await once(doctor, 'exit');
api.close();
process.exitCode = code ?? 1;
