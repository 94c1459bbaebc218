/** Certificates that openssl signs with their own keys. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly certPath: string;
  readonly keyPath: string;
}

/** Valid for 127.0.0.1. */
export function createCertificate(name: string): Certificate {
  return create(name, (request, out) => {
    openssl('req', '-x509', ...request, '-addext', 'subjectAltName=IP:127.0.0.1', '-out', out);
  });
}

/** Was valid in 2020. Only `openssl ca` takes dates. */
export function createExpiredCertificate(name: string): Certificate {
  return create(name, (request, out, folder) => {
    const file = (path: string, content: string): string => {
      writeFileSync(join(folder, path), content);
      return join(folder, path);
    };
    file('index', '');
    const lines = ['[ca]', 'default_ca=own', '[own]', `database=${folder}/index`, `new_certs_dir=${folder}`];
    const rules = ['rand_serial=yes', 'default_md=sha256', 'policy=any', '[any]', 'commonName=supplied'];
    const config = file('config', [...lines, ...rules, ''].join('\n'));
    const asked = join(folder, 'request.pem');
    openssl('req', ...request, '-out', asked);
    const dates = ['-startdate', '20200101000000Z', '-enddate', '20201231000000Z'];
    const key = join(folder, 'key.pem');
    openssl(
      'ca',
      '-batch',
      '-selfsign',
      '-config',
      config,
      '-keyfile',
      key,
      ...dates,
      '-in',
      asked,
      '-out',
      out,
    );
  });
}

function create(
  name: string,
  sign: (request: readonly string[], out: string, folder: string) => void,
): Certificate {
  const folder = temporaryFolder();
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', keyPath);
  sign(['-new', '-key', keyPath, '-subj', `/CN=${name}`], certPath, folder);
  return { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8'), certPath, keyPath };
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
