#!/usr/bin/env node
import { serveScript } from '../backends/cli/permission/script.js';
import { variables } from '../backends/cli/permission/protocol.js';
import { version } from './version.js';

const { env, stdin, stdout } = process;

// Claude Code has exited, so nobody waits for an answer.
stdin.on('end', () => process.exit(0));
stdout.on('error', () => process.exit(0));

serveScript({
  input: stdin,
  output: stdout,
  version,
  port: env[variables.port] ?? '',
  sessionId: env[variables.sessionId] ?? '',
  token: env[variables.token] ?? '',
});
