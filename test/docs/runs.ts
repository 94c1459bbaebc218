/** How each command of the documentation is run by tests, as it is written. */
import { fewAtOnce } from '../../src/core/few-at-once.js';
import { commandsIn, pages } from './pages.js';

/** Commands that no test runs as they are written, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'claude --resume <sessionId>': 'Claude Code itself: needs an account',
  'claude -p': 'Claude Code itself: named for comparison',
  'claude mcp serve': 'Claude Code itself: named for comparison',
  'claude plugin install':
    'Claude Code itself: needs the network. test/e2e/plugin.test.ts lets it check the marketplace and the plugin',
  'claude plugin install delegated-sessions@claude-code-mcp':
    'Claude Code itself: needs the network. test/e2e/plugin.test.ts lets it check the marketplace and the plugin',
  'claude plugin marketplace add claude-code-mcp/claude-code-mcp': 'Claude Code itself: needs the network',
  'claude update': 'Claude Code itself: needs the network',
  'claude-code-mcp login':
    'needs an account: test/e2e/console/sign-in.test.ts runs it with a fake Claude Code',
  'claude-code-mcp serve --config /etc/claude-code-mcp/config.json --state-dir /var/lib/claude-code-mcp':
    'needs root and users of the system: test/e2e/http/run-as.test.ts',
  'docker compose exec service mcp-server-claude-code token create laptop':
    'needs Docker: test/house/image.test.ts checks its files and this command',
  'docker compose up --build': 'needs Docker: test/house/image.test.ts checks its files and this command',
  'docker compose up --build --detach':
    'needs Docker: test/house/image.test.ts checks its files and this command',
  'install -d -m 700 -o alice -g alice /srv/alice': 'needs root and a user of the system',
  'jq -cj select(.message.content?) | .message.content[] | select(.id? == "toolu_…") | .input session.jsonl':
    'a program of the system, which may be missing',
  'node /opt/server.js': 'a server of the reader',
  'node dist/claude-code-mcp.js login': 'needs an account: see login',
  'npm ci': 'needs the registry; CI begins with it',
  'npm run bench': 'takes five minutes; one of its rows is run',
  'npm run bench -- --json': 'takes five minutes; one of its rows is run',
  'npm run bench -- --save': 'takes five minutes, and changes a file of the repository',
  'npm run build': 'CI runs it first',
  'npm run build:mcpb': 'needs the registry; the release runs it',
  'npm run check': 'CI runs its parts',
  'npm run demo -- --live': 'needs an account',
  'npm run dev': 'builds at every change, into the folder that other tests use',
  'npm run format': 'changes the files of the repository',
  'npm run gen': 'changes the files of the repository; CI runs it with --check',
  'npm run knip': 'CI runs it',
  'npm run lint': 'CI runs it',
  'npm run test:clients': 'CI runs it',
  'npm run test:packed': 'CI runs it',
  'npm run test:thorough': 'runs all tests, so also this one',
  'npm run test:unit': 'runs tests inside of a test',
  'npm run test:watch': 'runs tests inside of a test',
  'npm run typecheck': 'CI runs it',
  'npm test': 'runs all tests, so also this one',
  'npm test 2>&1': 'an example of a command of Claude',
  'npx -y mcp-server-claude-code login': 'needs an account: see login',
  'npx some-mcp': 'a server of the reader',
  'npx vitest run test/house': 'runs tests inside of a test',
  'npx vitest run test/house/release.test.ts': 'runs tests inside of a test',
  'npx vitest run test/mcp/served-texts.test.ts -u': 'changes the files of the repository',
  'npx vitest run test/path/file.test.ts': 'stands for any test file',
  'npx x': 'a program of the reader',
  sha256sum: 'a program of the system',
  'tail -20': 'a program of the system',
};

/** Commands that take seconds. `npm run test:thorough` runs them. */
export const slow: ReadonlySet<string> = new Set([
  'claude-code-mcp doctor',
  'node examples/approve-and-read.mjs Create hello.txt /path/to/project',
  'node examples/query.mjs Summarize the README /path/to/project',
  'npm run bench -- --against <command>',
  'npm run bench -- --cheap',
  'npm run bench -- --only start',
  'npm run demo',
  'npx -y mcp-server-claude-code doctor',
  'npx tsx examples/orchestrator.ts /path/to/project Fix the failing test Update the changelog',
]);

const isSetting = /^export /;

/** Commands of these pages, or of all, that are neither slow nor excluded. Settings are judged by their table. */
export function quickIn(paths: readonly string[] | undefined): readonly string[] {
  const wanted = pages.filter(({ path }) => paths?.includes(path) ?? true);
  const texts = wanted.flatMap(commandsIn).map(({ words }) => words.join(' '));
  return [...new Set(texts)].filter(
    (text) => !Object.hasOwn(notRun, text) && !slow.has(text) && !isSetting.test(text),
  );
}

/** Commands that build what all others run. */
const builds = /^npm run /;

/** Commands that need or end what others leave. In this order. */
const last: readonly string[] = [
  'claude-code-mcp audit verify --audit-log /var/log/claude-code-mcp/audit.jsonl',
  'claude-code-mcp token revoke first',
  'claude-code-mcp uninstall',
  'claude-code-mcp serve stop',
];

/** No browser is signed in to the page, so that there is none to sign out. */
const codes: Readonly<Record<string, number>> = { 'claude-code-mcp device revoke <name>': 2 };

/** Runs the commands, and returns those that did not exit as they should. */
export async function failuresOf(
  commands: readonly string[],
  run: (words: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>,
): Promise<Readonly<Record<string, string>>> {
  const words = new Map(pages.flatMap(commandsIn).map((command) => [command.words.join(' '), command.words]));
  const failures: Record<string, string> = {};
  const attempt = async (command: string): Promise<void> => {
    const { code, output } = await run(words.get(command) ?? []);
    if (code !== (codes[command] ?? 0)) failures[command] = `exit code ${code}: ${output.slice(-600)}`;
  };
  for (const command of commands.filter((one) => builds.test(one))) await attempt(command);
  await fewAtOnce(
    commands.filter((command) => !builds.test(command) && !last.includes(command)),
    3,
    attempt,
  );
  for (const command of last.filter((one) => commands.includes(one))) await attempt(command);
  return failures;
}
