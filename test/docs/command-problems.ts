/** What is wrong with a command of the documentation, judged by the tables that the programs use. */
import { existsSync, readFileSync } from 'node:fs';
import { parseArguments } from '../../src/config/arguments.js';
import { loadSettings } from '../../src/config/load.js';
import { settingRows } from '../../src/config/settings.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const variables: ReadonlySet<string> = new Set(settingRows.flatMap(({ env }) => env));

type Judge = (args: readonly string[]) => string | undefined;

/** Undefined: the command is right. */
export function problemOf(words: readonly string[]): string | undefined {
  const [program = '', ...args] = words;
  const judge = judges[program];
  return judge === undefined ? `${program} is unknown` : judge(args);
}

const judges: Readonly<Record<string, Judge>> = {
  'claude-code-mcp': problemOfOurs,
  'mcp-server-claude-code': problemOfOurs,
  export: (assignments) => firstOf(assignments, problemOfAssignment),
  node: ([file = '', ...args]) =>
    file.endsWith('dist/claude-code-mcp.js') ? problemOfOurs(args) : problemOfPath(file),
  npm: ([verb = '', script = '']) =>
    ['ci', 'test', 'link'].includes(verb) || (verb === 'run' && script in scripts)
      ? undefined
      : `${verb} ${script} is neither a script of package.json nor known`,
  npx: (args) => {
    const [name = '', ...rest] = args.filter((arg) => !['-y', '--omit=optional'].includes(arg));
    if (name === 'mcp-server-claude-code') return problemOfOurs(rest);
    if (name === 'tsx') return problemOfPath(rest[0]);
    return name === 'vitest' && rest[0] === 'run' ? problemOfPath(rest[1]) : `npx ${name} is unknown`;
  },
  docker: ([, verb, , ...inside]) =>
    verb === 'exec' ? problemOf(inside) : 'only docker compose exec is known',
  claude: (args) => {
    const server = args.includes('--') ? args.slice(args.indexOf('--') + 1) : [];
    return args[0] === 'mcp' && args[1] === 'add' && server.length > 0
      ? problemOf(server)
      : 'only claude mcp add is known';
  },
};

function problemOfOurs(args: readonly string[]): string | undefined {
  try {
    loadSettings(parseArguments(args).flags, {});
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function problemOfAssignment(assignment: string): string | undefined {
  const [name = '', value = ''] = assignment.split(/=(.*)/s);
  if (!name.startsWith('CLAUDE_CODE_')) return undefined;
  if (!variables.has(name)) return `${name} is not a setting`;
  try {
    loadSettings({}, { [name]: value });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function problemOfPath(path = ''): string | undefined {
  return existsSync(path) ? undefined : `${path} does not exist`;
}

function firstOf(texts: readonly string[], judge: (text: string) => string | undefined): string | undefined {
  return texts.map(judge).find((problem) => problem !== undefined);
}
