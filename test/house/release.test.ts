import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settings } from '../../src/config/settings.js';
import { asyncTools } from '../../src/toolsets/async/index.js';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const text = (path: string): string => readFileSync(at(path), 'utf8');
const installed = /mcp-server-claude-code@(\d[\w.-]*)/g;

const named = { name: z.string(), version: z.string() };
const own = z.looseObject({ ...named, mcpName: z.string() }).parse(JSON.parse(text('package.json')));
const lock = z
  .looseObject({ ...named, packages: z.looseObject({ '': z.looseObject(named) }) })
  .parse(JSON.parse(text('package-lock.json')));
const manifest = z
  .looseObject({
    ...named,
    server: z.looseObject({ mcp_config: z.looseObject({ env: z.record(z.string(), z.string()) }) }),
    // Without a value, the server would get the text of the placeholder.
    user_config: z.record(
      z.string(),
      z.union([z.looseObject({ required: z.literal(true) }), z.looseObject({ default: z.string() })]),
    ),
    tools: z.array(z.looseObject({ name: z.string() })),
  })
  .parse(JSON.parse(text('packaging/mcpb/manifest.json')));
const plugin = z
  .looseObject(named)
  .parse(JSON.parse(text('packaging/claude-code-plugin/.claude-plugin/plugin.json')));
const marketplace = z
  .looseObject({ plugins: z.array(z.looseObject(named)) })
  .parse(JSON.parse(text('.claude-plugin/marketplace.json')));
const dockerfile = text('Dockerfile');

/** One version: the registry refuses ranges and `latest`. */
const oneVersion = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);

/** The rules of the registry for the parts that we use: those of its schema, and those of its publisher. */
const registryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/),
  title: z.string().trim().min(1).max(100),
  description: z.string().min(1).max(100),
  version: oneVersion,
  repository: z.strictObject({
    url: z.string().regex(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/),
    source: z.literal('github'),
  }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      registryBaseUrl: z.literal('https://registry.npmjs.org'),
      identifier: z.string().regex(/^\S+$/),
      version: oneVersion,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
          choices: z.array(z.string()).optional(),
          default: z.string().optional(),
          isSecret: z.boolean().optional(),
        }),
      ),
    }),
  ]),
});
const registered = registryEntry.parse(JSON.parse(text('server.json')));
const [npmPackage] = registered.packages;

const variables = new Set<string>(Object.values(settings).flatMap(({ env }) => [...env]));

describe('a release', () => {
  it('has one version everywhere', () => {
    const versions = {
      'package-lock.json': [lock.version, lock.packages[''].version],
      'server.json': [registered.version, npmPackage.version],
      'manifest.json': [manifest.version],
      'plugin.json': [plugin.version],
      'marketplace.json': marketplace.plugins.map(({ version }) => version),
      '.mcp.json': versionsIn(text('packaging/claude-code-plugin/.mcp.json'), installed),
      Dockerfile: versionsIn(dockerfile, /image\.version="([^"]+)"/g),
      'compose.yaml': versionsIn(text('compose.yaml'), /mcp-server-claude-code:(\S+)/g),
      'CHANGELOG.md': versionsIn(text('CHANGELOG.md'), /^## \[([^\]]+)\]/gm).slice(0, 1),
    };

    const wrong = Object.entries(versions).filter(([, found]) => !isOnly(found, own.version));
    expect(wrong).toEqual([]);
  });

  it('is the version that documents name', () => {
    const pages = ['README.md', ...pagesIn('docs')];

    expect(
      pages.flatMap((page) => versionsIn(text(page), installed)).filter((one) => one !== own.version),
    ).toEqual([]);
  });

  it('has one name everywhere', () => {
    expect({
      lock: lock.name,
      registry: registered.name,
      npm: npmPackage.identifier,
      extension: manifest.name,
      plugin: marketplace.plugins.map(({ name }) => name),
      image: /image\.title="([^"]+)"/.exec(dockerfile)?.[1],
    }).toEqual({
      lock: own.name,
      registry: own.mcpName,
      npm: own.name,
      extension: own.name,
      plugin: [plugin.name],
      image: own.name,
    });
  });

  it('offers only variables that the server reads', () => {
    const offered = [
      ...npmPackage.environmentVariables.map(({ name }) => name),
      ...Object.keys(manifest.server.mcp_config.env),
    ];

    expect(offered.filter((name) => !variables.has(name))).toEqual(['ANTHROPIC_API_KEY']);
  });

  it('lists the tools of the extension, and asks for all that its environment needs', () => {
    const asked = Object.values(manifest.server.mcp_config.env).map(
      (value) => /^\$\{user_config\.(\w+)\}$/.exec(value)?.[1],
    );

    expect(manifest.tools.map(({ name }) => name)).toEqual(asyncTools.map(({ name }) => name));
    expect(asked).toEqual(Object.keys(manifest.user_config));
  });
});

function pagesIn(folder: string): string[] {
  return readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${folder}/${path}`);
}

function isOnly(found: readonly string[], version: string): boolean {
  return found.length > 0 && found.every((one) => one === version);
}

function versionsIn(words: string, pattern: RegExp): string[] {
  return [...words.matchAll(pattern)].map(([, version = '']) => version);
}
