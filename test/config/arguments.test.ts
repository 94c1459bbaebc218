import { describe, expect, it } from 'vitest';
import { parseArguments, type Arguments } from '../../src/config/arguments.js';
import { ConfigError } from '../../src/config/config-error.js';

const nothing: Arguments = {
  command: undefined,
  flags: {},
  configFile: undefined,
  json: false,
  own: {},
  operand: undefined,
  help: undefined,
  version: false,
};

describe('arguments', () => {
  it.each<[string[], Partial<Arguments>]>([
    [[], {}],
    [['--help'], { help: 'short' }],
    [['--help-all'], { help: 'all' }],
    [['config', '--help'], { command: 'config', help: 'short' }],
    [['audit', '--help'], { command: 'audit verify', help: 'short' }],
    [['-h', 'audit', 'verify'], { command: 'audit verify', help: 'short' }],
    [['-h'], { help: 'short' }],
    [['help'], { help: 'short' }],
    [['help', 'settings'], { help: 'settings' }],
    [['help', 'config'], { command: 'config', help: 'short' }],
    [['help', 'token', 'list'], { command: 'token list', help: 'short' }],
    [['help', 'device'], { command: 'device list', help: 'short' }],
    [['--version'], { version: true }],
    [['-v'], { version: true }],
    [['--max-sessions', '3', '--log-level=debug'], { flags: { 'max-sessions': '3', 'log-level': 'debug' } }],
    [['--structured', '--check-responds'], { flags: { structured: '1', 'check-responds': '1' } }],
    [
      ['--structured', '0', '--json', 'config'],
      { command: 'config', flags: { structured: '0' }, json: true },
    ],
    [['--max-sessions', '3', '--max-sessions=3'], { flags: { 'max-sessions': '3' } }],
    [['--config', '/c.json'], { configFile: '/c.json' }],
    [['config'], { command: 'config' }],
    [['config', '--json', '--config=/c.json'], { command: 'config', json: true, configFile: '/c.json' }],
    [['audit', 'verify', '--head=3:ff'], { command: 'audit verify', own: { head: '3:ff' } }],
    [['config', '--service', '--json'], { command: 'config', own: { service: '1' }, json: true }],
    [['serve'], { command: 'serve' }],
    [['serve', 'stop'], { command: 'serve stop' }],
    [['serve', '--help'], { command: 'serve', help: 'short' }],
    [['token', 'list'], { command: 'token list' }],
    [['token', 'revoke', 'a'], { command: 'token revoke', operand: 'a' }],
    [
      ['install', '--yes', 'cursor', 'codex'],
      { command: 'install', operand: 'cursor codex', own: { yes: '1' } },
    ],
    [['install'], { command: 'install' }],
    [['token', '--help'], { command: 'token create', help: 'short' }],
    [
      ['token', 'create', 'a', '--principal=p', '--scope', 'call', '--expires-days', '3', '--json'],
      {
        command: 'token create',
        operand: 'a',
        own: { principal: 'p', scope: 'call', 'expires-days': '3' },
        json: true,
      },
    ],
    [['--max-sessions', '3', 'config'], { command: 'config', flags: { 'max-sessions': '3' } }],
  ])('%j are parsed', (args, expected) => {
    expect(parseArguments(args)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    [['--max-session', '3'], '--max-session is not a flag: did you mean --max-sessions?'],
    [['--maxsessions=3'], '--maxsessions is not a flag: did you mean --max-sessions?'],
    [['--confg', '/c.json'], '--confg is not a flag: did you mean --config?'],
    [['--quantum-entanglement'], '--quantum-entanglement is not a flag.'],
    [['--__proto__', 'x'], '--__proto__ is not a flag.'],
    [['-x'], '-x is not a flag.'],
    [
      ['server', 'now'],
      'server now is not a command. Run claude-code-mcp --help to list the commands. To start the server, pass no command.',
    ],
    [['constructor'], 'constructor is not a command. Run claude-code-mcp --help to list the commands.'],
    [['config', 'maxSessions'], 'maxSessions is not an argument of config.'],
    [
      ['confg'],
      'confg is not a command: did you mean config? Run claude-code-mcp --help to list the commands.',
    ],
    [
      ['confg', '--help'],
      'confg is not a command: did you mean config? Run claude-code-mcp --help to list the commands.',
    ],
    [['audit'], 'audit needs another word: audit verify. Run claude-code-mcp --help to list the commands.'],
    [
      ['audit', 'verfy'],
      'audit verfy is not a command: did you mean audit verify? Run claude-code-mcp --help',
    ],
    [['help', 'confg'], 'confg is not a command: did you mean config?'],
    [['audti'], 'audti is not a command: did you mean audit verify? Run claude-code-mcp --help'],
    [['audit', 'verify', 'now'], 'now is not an argument of audit verify.'],
    [['--head', '1:f'], '--head is a flag of another command: claude-code-mcp audit verify.'],
    [
      ['--scope', 'call', 'token', 'list'],
      '--scope is a flag of another command: claude-code-mcp token create.',
    ],
    [
      ['token', 'revoke', 'a', 'b'],
      'b is not an argument of token revoke. Usage: claude-code-mcp token revoke <name>.',
    ],
    [['serve', 'now'], 'now is not an argument of serve.'],
    [['serve', '--service'], '--service is a flag of another command: claude-code-mcp config.'],
    [
      ['token'],
      'token needs another word: token create, token list, token revoke. Run claude-code-mcp --help to list the commands.',
    ],
    [['--json'], '--json needs a command: claude-code-mcp config [--service] [--json].'],
    [['--approvals', 'human', '--approvals=any'], '--approvals is given twice, with different values.'],
    [['--roots', '/a', '--roots', '/b'], '--roots is given twice, with different values.'],
    [['--structured', '--structured=0'], '--structured is given twice, with different values.'],
    [['--config', '/a', '--config', '/b'], '--config is given twice, with different values.'],
    [['--config='], '--config needs the path of a file.'],
    [['--max-sessions'], '--max-sessions needs a value.'],
    [['--config'], '--config needs a value.'],
    [['--config', '--json'], '--config needs a value.'],
    [['--json=1', 'config'], "Option '--json' does not take an argument."],
    [
      ['--http'],
      '--http is not a flag: without a command the server uses stdin and stdout, and "claude-code-mcp serve" uses HTTP.',
    ],
    [['--hlep'], '--hlep is not a flag: did you mean --help?'],
  ])('%j stop the server with a hint', (args, words) => {
    expect(() => parseArguments(args)).toThrow(ConfigError);
    expect(() => parseArguments(args)).toThrow(words);
    expect(() => parseArguments(args)).toThrow(
      /Run claude-code-mcp (--help-all to list the flags|--help to list the commands|help [a-z ]+ to list the flags of [a-z ]+)\./,
    );
  });

  it('name what a command needs', () => {
    expect(() => parseArguments(['token', 'create'])).toThrow(
      new ConfigError(
        'token create needs a name for the token. Usage: claude-code-mcp token create <name> [--principal <name>] [--scope <a,b>] [--expires-days <number>] [--json]',
      ),
    );
  });

  it.each([['--resume-secrt', 'hunter2hunter2hunter2'], ['--resume-secrt=hunter2hunter2hunter2']])(
    'do not reveal the value of a misspelt secret: %s',
    (...args) => {
      expect(() => parseArguments(args)).toThrow(
        new ConfigError(
          '--resume-secrt is not a flag: did you mean --resume-secret? Run claude-code-mcp --help-all to list the flags.',
        ),
      );
    },
  );
});
