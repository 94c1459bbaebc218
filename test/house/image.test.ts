/** Docker does not run in tests. What its files say is compared with the package and with the program. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseArguments } from '../../src/config/arguments.js';
import { serviceFallbacks } from '../../src/config/service-settings.js';
import { settings } from '../../src/config/settings.js';
import { loadSettings } from '../../src/config/load.js';
import { commandsIn, pages } from '../docs/pages.js';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const text = (path: string): string => readFileSync(at(path), 'utf8');

const own = z
  .object({ bin: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(text('package.json')));

const compose = z
  .strictObject({
    services: z.record(
      z.string(),
      z.strictObject({
        build: z.string(),
        image: z.string(),
        init: z.literal(true),
        restart: z.string(),
        command: z.array(z.string()),
        ports: z.array(z.string()),
        environment: z.record(z.string(), z.string()),
        volumes: z.array(z.string()),
        read_only: z.literal(true),
        tmpfs: z.array(z.string()),
        cap_drop: z.tuple([z.literal('ALL')]),
        security_opt: z.tuple([z.literal('no-new-privileges:true')]),
      }),
    ),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(text('compose.yaml')));
const { service } = compose.services;

/** Instructions of the Dockerfile, without comments, with continued lines joined. */
const instructions = text('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));
const stages = instructions.reduce<{ name: string; rest: string }[][]>((all, one) => {
  if (one.name === 'FROM') return [...all, [one]];
  all.at(-1)?.push(one);
  return all;
}, []);
const [build = [], final = []] = stages;

const all = (stage: typeof instructions, name: string): string[] =>
  stage.filter((one) => one.name === name).map(({ rest }) => rest);
const words = (list: string | undefined): string[] => z.array(z.string()).parse(JSON.parse(list ?? '[]'));
const known = new Set(Object.values(settings).flatMap(({ env }): readonly string[] => env));

describe('the Dockerfile', () => {
  it('runs on a Node that the package allows', () => {
    const oldest = Number(/^>=(\d+)$/.exec(own.engines.node)?.[1]);
    const versions = stages.map(([from]) => Number(/^node:(\d+)-/.exec(from?.rest ?? '')?.[1]));

    expect(versions).toHaveLength(2);
    expect(versions.filter((version) => !(version >= oldest))).toEqual([]);
  });

  it('copies only files that exist and that its context contains', () => {
    const context = text('.dockerignore').split('\n');
    const copied = all(build, 'COPY').flatMap((rest) => rest.split(' ').slice(0, -1));

    expect(copied).toContain('package-lock.json');
    expect(copied.filter((path) => path !== '.' && !context.includes(`!${path}`))).toEqual([]);
    expect(
      context
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1))
        .filter((path) => !existsSync(at(path))),
    ).toEqual([]);
  });

  it('starts a command of the package as a user who is not root', () => {
    const order = final.map(({ name }) => name);

    expect(all(final, 'USER')).toEqual(['node']);
    expect(order.indexOf('USER')).toBeLessThan(order.indexOf('ENTRYPOINT'));
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'));
    expect(words(all(final, 'ENTRYPOINT')[0]).every((name) => name in own.bin)).toBe(true);
    expect(parseArguments(words(all(final, 'CMD')[0])).command).toBe('serve');
  });

  it('checks its health with a command of the program', () => {
    const [, check] = /CMD (\[.*\])$/.exec(all(final, 'HEALTHCHECK')[0] ?? '') ?? [];
    const [program = '', ...args] = words(check);

    expect(program in own.bin).toBe(true);
    expect(parseArguments(args).command).toBe('serve status');
  });

  it('sets variables that the server or Claude Code reads, to folders of the volume', () => {
    const variables = Object.fromEntries(
      all(final, 'ENV').flatMap((rest) =>
        rest.split(/\s+/).map((pair) => pair.split('=') as [string, string]),
      ),
    );

    expect(Object.keys(variables).filter((name) => !known.has(name))).toEqual([
      'CLAUDE_CONFIG_DIR',
      'DISABLE_AUTOUPDATER',
    ]);
    const [volume = ''] = words(all(final, 'VOLUME')[0]);
    expect(Object.values(variables).filter((value) => value.startsWith('/'))).toHaveLength(2);
    expect(
      Object.values(variables).filter((value) => value.startsWith('/') && !value.startsWith(`${volume}/`)),
    ).toEqual([]);
  });
});

describe('compose.yaml', () => {
  it('starts the service with flags that it accepts', () => {
    const { command, flags } = parseArguments(service?.command ?? []);
    const { settings: loaded } = loadSettings(flags, {}, undefined, serviceFallbacks);

    expect(command).toBe('serve');
    expect(loaded).toMatchObject({ host: '0.0.0.0', behindProxy: true });
  });

  it('publishes the port of the service and of the image, on this machine only', () => {
    const { port } = loadSettings({}, {}, undefined, serviceFallbacks).settings;

    expect(all(final, 'EXPOSE')).toEqual([String(port)]);
    expect(service?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(parseArguments(service?.command ?? []).flags['public-url']).toBe(`http://127.0.0.1:${port}`);
  });

  it('mounts a writable place for all that the server writes, and passes known variables', () => {
    const { volumes = [], environment = {} } = service ?? {};

    expect(volumes.map((mount) => mount.split(':').at(-1))).toEqual([
      all(final, 'WORKDIR')[0],
      words(all(final, 'VOLUME')[0])[0],
    ]);
    expect(volumes.flatMap((mount) => mount.split(':', 1)).filter((name) => name in compose.volumes)).toEqual(
      Object.keys(compose.volumes),
    );
    expect(environment['CLAUDE_CODE_MCP_ROOTS']).toBe(all(final, 'WORKDIR')[0]);
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual(['ANTHROPIC_API_KEY']);
  });

  it('has the service that documented commands name, and they run commands of the package there', () => {
    const documented = pages
      .flatMap(commandsIn)
      .flatMap(({ words: [program, ...rest] }) => (program === 'docker' ? [rest] : []));
    const executed = documented.filter(([, verb]) => verb === 'exec');

    expect(executed.length).toBeGreaterThan(0);
    for (const [, , name = '', program = '', ...args] of executed) {
      expect([Object.keys(compose.services), Object.keys(own.bin)]).toEqual([
        expect.arrayContaining([name]),
        expect.arrayContaining([program]),
      ]);
      expect(parseArguments(args).command).toBeDefined();
    }
  });
});
