import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AppError } from '../../src/core/errors.js';
import { sessionOptions, type RequestedOptions } from '../../src/core/options/index.js';
import { refuseUntrustedLeaves, withoutUntrustedLeaves } from '../../src/policy/leaf-trust.js';
import { plainPolicy } from '../kit/policy.js';

/** The refusal of this request; undefined if it is accepted. */
function refusalOf(requested: unknown, callerTrust: 'standard' | 'full' = 'standard'): string | undefined {
  try {
    refuseUntrustedLeaves(requested as RequestedOptions, { ...plainPolicy, callerTrust });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'PERMISSION_DENIED') throw error;
    return error.message;
  }
}

/** A value for each leaf of the schema, wrapped in its parents up to the root of the options. */
function leavesOf(schema: unknown, wrap: (inner: unknown) => unknown): unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodLazy) return leavesOf(schema.unwrap(), wrap);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => leavesOf(option, wrap));
  if (schema instanceof z.ZodPipe) return leavesOf(schema.out, wrap);
  if (schema instanceof z.ZodArray) return leavesOf(schema.element, (inner) => wrap([inner]));
  if (schema instanceof z.ZodRecord) return leavesOf(schema.valueType, (inner) => wrap({ anything: inner }));
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([key, inner]) =>
      leavesOf(inner, (value) => wrap({ [key]: value })),
    );
  }
  if (schema instanceof z.ZodLiteral) return [wrap(schema.value)];
  if (schema instanceof z.ZodEnum) return [wrap(schema.options[0])];
  if (schema instanceof z.ZodBoolean) return [wrap(true), wrap(false)];
  if (schema instanceof z.ZodNumber) return [wrap(1)];
  if (schema instanceof z.ZodString || schema instanceof z.ZodURL) return [wrap('https://a.example/')];
  if (schema instanceof z.ZodUnknown) return [wrap('x')];
  throw new Error(`The walk does not know ${(schema as z.ZodType).type}`);
}

const everyLeaf = Object.entries(sessionOptions).flatMap(([key, { schema }]) =>
  leavesOf(schema, (value) => ({ [key]: value })),
);

const known = 'is not known to be safe';
const program = 'runs a program outside the permission system';
const loosens = 'would loosen the sandbox';

describe('every leaf that an option can hold', () => {
  it('has a verdict', () => {
    const unjudged = everyLeaf.filter((leaf) => refusalOf(leaf)?.includes(known));

    expect(everyLeaf.length).toBeGreaterThan(80);
    expect(unjudged).toEqual([]);
  });

  it('is accepted with full trust', () => {
    expect(everyLeaf.filter((leaf) => refusalOf(leaf, 'full') !== undefined)).toEqual([]);
  });

  it('is refused if it is not in the table, at any depth', () => {
    const unknown: readonly unknown[] = [
      { hooks: { Stop: 'x' } },
      { sandbox: { filesystem: { mount: '/' } } },
      { mcpServers: { s: { oauth: 'x' } } },
      { agents: { a: { hooks: 'x' } } },
      { systemPrompt: { file: 'x' } },
      { cwd: ['/'] },
      { constructor: 'x' },
    ];

    expect(unknown.map((requested) => refusalOf(requested))).toEqual(
      unknown.map(() => expect.stringContaining(known)),
    );
  });

  it('is refused even after a harmless leaf', () => {
    const requested = { model: 'haiku', env: { CI: '1', LD_PRELOAD: 'x' }, title: 't' };

    expect(refusalOf(requested)).toContain('env.LD_PRELOAD');
  });
});

describe('the verdict', () => {
  const agent = { description: 'd', prompt: 'p' };

  it.each([
    ['mcpServers.s.command', program, { mcpServers: { s: { command: 'x' } } }],
    ['mcpServers.s.args.0', program, { mcpServers: { s: { args: ['x'] } } }],
    ['mcpServers.s.env.A', program, { mcpServers: { s: { env: { A: 'x' } } } }],
    ['mcpServers.s.headersHelper', program, { mcpServers: { s: { headersHelper: 'x' } } }],
    ['agents.a.mcpServers.0', program, { agents: { a: { ...agent, mcpServers: ['x'] } } }],
    [
      'agents.a.mcpServers.0.s.url',
      program,
      { agents: { a: { ...agent, mcpServers: [{ s: { url: 'https://a.example/' } }] } } },
    ],
    ['agents.a.permissionMode', 'would skip approval', { agents: { a: { permissionMode: 'default' } } }],
    ['agents.a.initialPrompt', 'expanded like a typed prompt', { agents: { a: { initialPrompt: 'x' } } }],
    ['pathToClaudeCodeExecutable', program, { pathToClaudeCodeExecutable: '/x' }],
    ['debug', 'to a file', { debug: true }],
    ['debugFile', 'to any file', { debugFile: '/x' }],
    ['sandbox.failIfUnavailable', loosens, { sandbox: { failIfUnavailable: false } }],
    ['sandbox.autoAllowBashIfSandboxed', 'skip approval', { sandbox: { autoAllowBashIfSandboxed: true } }],
    ['sandbox.allowUnsandboxedCommands', loosens, { sandbox: { allowUnsandboxedCommands: true } }],
    ['sandbox.network.allowLocalBinding', loosens, { sandbox: { network: { allowLocalBinding: true } } }],
    ['sandbox.network.tlsTerminate', loosens, { sandbox: { network: { tlsTerminate: {} } } }],
    ['sandbox.filesystem.allowWrite.0', loosens, { sandbox: { filesystem: { allowWrite: ['/'] } } }],
    ['sandbox.filesystem.disabled', loosens, { sandbox: { filesystem: { disabled: true } } }],
    [
      'sandbox.credentials.files.0.mode',
      loosens,
      { sandbox: { credentials: { files: [{ path: '/k', mode: 'mask' }] } } },
    ],
    ['sandbox.ignoreViolations.*.0', loosens, { sandbox: { ignoreViolations: { '*': ['/etc'] } } }],
    ['sandbox.ripgrep.command', program, { sandbox: { ripgrep: { command: '/x' } } }],
    ['sandbox.bwrapPath', program, { sandbox: { bwrapPath: '/x' } }],
    ['env.ci', 'is not on the list of harmless variables', { env: { ci: '1' } }],
    ['env.BASH_ENV', 'is not on the list of harmless variables', { env: { BASH_ENV: '' } }],
    ['env.LC_ALL', 'would change how shells read commands', { env: { LC_ALL: 'zh_CN.GBK' } }],
    ['env.LANG', 'would change how shells read commands', { env: { LANG: 'ja_JP' } }],
    ['env.LANG', 'would change how shells read commands', { env: { LANG: '../x.UTF-8' } }],
    ['env.LANG', 'would change how shells read commands', { env: { LANG: 'zh_TW@x.UTF-8' } }],
    ['env.LC_ALL', 'would change how shells read commands', { env: { LC_ALL: 'zh_TW.Big5@x.UTF-8' } }],
    ['env.LC_ALL', 'would change how shells read commands', { env: { LC_ALL: 'zh_TW-x.UTF-8' } }],
  ])('on %s is that it %s', (leaf, what, requested) => {
    const refusal = refusalOf(requested);

    expect(refusal).toContain(` ${leaf}: `);
    expect(refusal).toContain(what);
  });

  it.each([
    ['a tighter sandbox', { sandbox: { enabled: true, network: { deniedDomains: ['a.example'] } } }],
    [
      'denied paths and credentials',
      {
        sandbox: {
          filesystem: { denyRead: ['/srv'], denyWrite: ['/srv'], disabled: false },
          credentials: { envVars: [{ name: 'TOKEN', mode: 'deny' }], sigv4: { streaming: 'deny' } },
          network: { strictAllowlist: true, allowAllUnixSockets: false },
          enableWeakerNestedSandbox: false,
        },
      },
    ],
    ['a harmless variable', { env: { CI: '1', TZ: 'UTC', NODE_ENV: 'test' } }],
    ['a locale of UTF-8', { env: { LANG: 'de_DE.UTF-8', LC_ALL: 'C.utf8' } }],
    ['a locale of ASCII', { env: { LANG: 'POSIX', LC_ALL: 'C' } }],
    [
      'a remote server with headers',
      { mcpServers: { s: { type: 'http', url: 'https://a.example', headers: { A: '$x {y}' } } } },
    ],
    ['a plain agent', { agents: { a: { ...agent, tools: ['Read'], background: true } } }],
    ['any schema', { outputFormat: { type: 'json_schema', schema: { command: { env: ['x'] } } } }],
    ['empty values', { env: {}, mcpServers: {}, agents: {}, sandbox: {}, allowedTools: [] }],
  ])('on %s is to accept', (_, requested) => {
    expect(refusalOf(requested)).toBeUndefined();
  });

  it.each([
    ['a header', { headers: { A: 'x${HOME}' } }],
    ['an address', { url: 'https://a.example/${HOME}' }],
  ])('on the environment in %s is no', (_, server) => {
    expect(refusalOf({ mcpServers: { s: server } })).toContain('would expand environment variables');
  });

  it('names the setting', () => {
    expect(() => refuseUntrustedLeaves({ debug: true }, plainPolicy)).toThrow(
      new AppError('option_untrusted', {
        path: ['debug'],
        problem: 'writes session contents to a file',
      }),
    );
  });
});

describe('what any caller may set of an option', () => {
  function narrowed(option: string, value: unknown): unknown {
    return withoutUntrustedLeaves(option, value, plainPolicy);
  }

  it.each([
    ['debug', true, false],
    ['debugFile', '/x', undefined],
    ['model', 'haiku', 'haiku'],
    ['disallowedTools', ['Bash'], ['Bash']],
    [
      'sandbox',
      { enabled: true, allowUnsandboxedCommands: true, network: { allowedDomains: ['a.example'] } },
      { enabled: true, allowUnsandboxedCommands: false },
    ],
    [
      'sandbox',
      { credentials: { files: [{ path: '/k', mode: 'mask', injectHosts: ['a.example'] }] } },
      { credentials: { files: [{ path: '/k', mode: 'deny' }] } },
    ],
    [
      'mcpServers',
      { near: { type: 'http', url: 'http://127.0.0.1/' }, far: { type: 'http', url: 'https://a.example/' } },
      { far: { type: 'http', url: 'https://a.example/' } },
    ],
    [
      'agents',
      { a: { description: 'd', prompt: 'p', permissionMode: 'acceptEdits', disallowedTools: ['Bash'] } },
      { a: { description: 'd', prompt: 'p', disallowedTools: ['Bash'] } },
    ],
  ])('of %s %j is %j', (option, value, rest) => {
    expect(narrowed(option, value)).toEqual(rest);
  });

  it('is everything with full trust', () => {
    expect(withoutUntrustedLeaves('debug', true, { ...plainPolicy, callerTrust: 'full' })).toBe(true);
  });

  it('is always accepted, and accepted leaves stay as they are', () => {
    for (const requested of everyLeaf as Record<string, unknown>[]) {
      for (const [option, value] of Object.entries(requested)) {
        const rest = narrowed(option, value);
        expect(refusalOf({ [option]: rest })).toBeUndefined();
        if (refusalOf(requested) === undefined) expect(rest).toEqual(value);
      }
    }
  });
});
