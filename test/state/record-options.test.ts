import { describe, expect, it } from 'vitest';
import type { EffectiveOptions } from '../../src/core/options/index.js';
import { withoutSecrets } from '../../src/state/record-options.js';
import { plainOptions } from '../kit/records.js';

function kept(changes: Partial<EffectiveOptions>) {
  return withoutSecrets({ ...plainOptions, ...changes });
}

describe('the saved options', () => {
  it('are complete if nothing may be secret', () => {
    const options = {
      model: 'haiku',
      allowedTools: ['Read'],
      mcpServers: {
        far: { type: 'http', url: 'https://a.example/' },
        region: { type: 'http', url: 'https://api2.eu-west-1.a.example/mcp' },
        local: { type: 'http', url: 'http://127.0.0.1:8080/sse' },
        six: { type: 'http', url: 'http://[::1]:8080/mcp' },
        long: { type: 'http', url: 'https://a.example/v1/api/mcp-server/read.only/mcp' },
      },
    } as const satisfies Partial<EffectiveOptions>;
    const all = { ...plainOptions, ...options, allowedTools: ['Read'] };

    expect(withoutSecrets(all)).toEqual({ options: all, withheld: [] });
  });

  it('contain no environment variables', () => {
    const { options, withheld } = kept({ env: { CI: '1' }, model: 'haiku' });

    expect(options).toEqual({ ...plainOptions, model: 'haiku' });
    expect(withheld).toEqual(['env']);
  });

  it.each([
    ['headers', { type: 'http', url: 'https://a.example/', headers: { A: 'sekret' } }],
    ['empty headers', { type: 'sse', url: 'https://a.example/', headers: {} }],
    ['a program with arguments', { command: 'x', args: ['--token=sekret'] }],
    ['a program with variables', { command: 'x', env: { A: 'sekret' } }],
  ] as const)('contain no servers if one of them has %s', (_, server) => {
    const far = { type: 'http', url: 'https://b.example/' } as const;

    const { options, withheld } = kept({
      mcpServers: { far, s: server as NonNullable<EffectiveOptions['mcpServers']>[string] },
    });

    expect(options).toEqual(plainOptions);
    expect(withheld).toEqual(['mcpServers']);
  });

  it.each([
    ['a password in an address', { mcpServers: { s: { type: 'http', url: 'https://a:sekret@b.example/' } } }],
    [
      'a token in the path of an address',
      { mcpServers: { s: { type: 'http', url: 'https://b.example/api/mcp/s/NjQ3YTkyZmUtOTk5Ny/mcp' } } },
    ],
    [
      'a word of another kind',
      { mcpServers: { s: { type: 'sse', url: 'https://b.example/sekretToken/sse' } } },
    ],
    ...[
      'https://k9f8a7s6d5f4g3h2j1.mcp.example.com/mcp',
      'https://qwertzuiopasdfghjklyxcvb.example.com/mcp',
      'https://b.example/qwertzuiopasdfghjklyxcvb/mcp',
      'https://b.example/abcdefgh-ijklmnop-qrstuvwx-yzabcdef/mcp',
      'https://b.example/alice/mcp',
    ].map((url) => [`a name in ${url}`, { mcpServers: { s: { type: 'http', url } } }] as const),
    ['a part behind #', { mcpServers: { s: { type: 'http', url: 'https://b.example/mcp#sekret' } } }],
    ['a key in an address', { mcpServers: { s: { type: 'http', url: 'https://b.example/?key=sekret' } } }],
    [
      'a program for headers',
      { mcpServers: { s: { type: 'http', url: 'https://b.example/', headersHelper: 'echo sekret' } } },
    ],
    [
      'a server of an agent',
      {
        agents: {
          a: { description: 'd', prompt: 'p', mcpServers: [{ s: { command: 'x', env: { A: 'sekret' } } }] },
        },
      },
    ],
  ] as const)('contain no secret from %s', (_, changes) => {
    const { options } = kept(changes as unknown as Partial<EffectiveOptions>);

    expect(JSON.stringify(options)).not.toContain('sekret');
  });

  it('do not change the options of the session', () => {
    const options = { ...plainOptions, env: { A: 'x' } };

    withoutSecrets(options);

    expect(options.env).toEqual({ A: 'x' });
  });
});
