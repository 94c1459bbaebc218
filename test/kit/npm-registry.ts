/** A registry on loopback that has one package, so that `npx -y` installs the packed build as it would the published one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NpmRegistry {
  readonly url: string;
  close(): Promise<void>;
}

/** Everything else is missing, so npm leaves out the optional dependencies. */
export async function startRegistry(archive: string, manifest: string): Promise<NpmRegistry> {
  const tarball = readFileSync(archive);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const own = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string };
  const { name, version } = own;
  const server = createServer(({ url, headers }, response) => {
    if (url === `/${name}.tgz`) return void response.end(tarball);
    if (url !== `/${name}`) return void response.writeHead(404).end('{}');
    const dist = { tarball: `http://${headers.host}/${name}.tgz`, integrity };
    const packument = { name, 'dist-tags': { latest: version }, versions: { [version]: { ...own, dist } } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(packument));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
