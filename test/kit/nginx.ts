/** A real reverse proxy in front of a service, as docs/service.md describes it. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

const executable = ['/usr/sbin/nginx', '/usr/bin/nginx', '/opt/homebrew/bin/nginx'].find((path) =>
  existsSync(path),
);

export const hasNginx = executable !== undefined;

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export interface Proxy {
  readonly port: number;
  /** Where the service listens. */
  readonly upstream: string;
  /** nginx gives up on a connection on which it has read nothing for this time. */
  readonly readTimeoutSeconds: number;
}

/** Runs until the end of the test. */
export async function startNginx({ port, upstream, readTimeoutSeconds }: Proxy): Promise<void> {
  const folder = temporaryFolder();
  const config = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_read_timeout ${readTimeoutSeconds}s;
    }
  }
}
`,
  );
  const nginx = spawn(executable ?? 'nginx', ['-c', config, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const exited = once(nginx, 'exit');
  onTestFinished(async () => {
    nginx.kill('SIGTERM');
    await exited;
  });
  await until('nginx listens', () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    ),
  );
}
