/** Runs commands of the documentation as a reader does: in a shell's environment, with the reader's own values. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { realClaude } from './argv-log.js';
import type { Sandbox } from './sandbox.js';
import { serverEntry } from './server-entry.js';
import { script } from './terminal-session.js';

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

interface Reader {
  readonly sandbox: Sandbox;
  readonly model: { readonly url: string };
  /** Where npx finds the package. */
  readonly published: Readonly<Record<string, string>>;
  /** Values for the placeholders and addresses of the documentation. */
  readonly values: Readonly<Record<string, string>>;
}

/** Programs on the PATH of the reader. */
function programsIn(folder: string): string {
  const program = `exec '${process.execPath}' '${serverEntry}'`;
  const programs = {
    'claude-code-mcp': `${program} "$@"`,
    'mcp-server-claude-code': `${program} "$@"`,
    claude: `exec '${realClaude()}' "$@"`,
    // No browser opens.
    'xdg-open': 'exit 0',
    open: 'exit 0',
  };
  mkdirSync(folder);
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

export type RunDocumented = (words: readonly string[]) => Promise<Outcome>;

export function createReader({ sandbox, model, published, values }: Reader): RunDocumented {
  const bin = programsIn(join(sandbox.root, 'bin'));
  return async (words) => {
    const text = words.join(' ');
    const given = words.map((word) =>
      // This address is also an audience.
      isAddress.test(word) && !text.includes(' connect ') ? word : replaced(word, values),
    );
    const isFresh = fresh.test(text);
    const folder = mkdtempSync(join(sandbox.root, 'run-'));
    const env = {
      ...sandbox.env(model),
      ...published,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      CLAUDE_CODE_MCP_PORT: '0',
      NO_COLOR: '1',
      ...(isFresh && { CLAUDE_CODE_MCP_STATE_DIR: join(folder, 'state') }),
      ...(words[0] === 'claude' && { CLAUDE_CONFIG_DIR: folder }),
      // A person would now talk to Claude.
      ...(text.includes(' resume ') && { CLAUDE_CODE_PATH: '/bin/true' }),
    };
    const cwd = /examples|npm run|dist\//.test(text) ? process.cwd() : sandbox.project;
    const [file = '', ...args] = asksPerson.test(text)
      ? [script, '-qfec', given.map(quoted).join(' '), '/dev/null']
      : given;
    const child = spawn(file, args, { cwd, env, stdio: 'pipe', timeout: limitMs });
    let output = '';
    let answered = 0;
    const read = (chunk: string): void => {
      output += chunk;
      const question = /(Which\?|\?).{0,60}[:\]] $/.exec(output.slice(answered))?.[1];
      if (question === undefined) return;
      answered = output.length;
      child.stdin.write(question === 'Which?' ? 'all\n' : 'y\n');
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    if (!asksPerson.test(text)) child.stdin.end(password.test(text) ? 'correct horse battery staple\n' : '');
    // A service runs until it is stopped. Its first output says that it serves.
    if (isService.test(text)) child.stdout.once('data', () => child.kill('SIGTERM'));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  };
}

/** Commands that create or name what another command also creates. */
const fresh = / (serve|token create \S+|device password)( --|$)/;
const isAddress = /^https:/;
const isService = / serve( --|$)/;
const password = /device password$/;
/** Only in a terminal. */
const asksPerson = / (install( codex)?|uninstall|trust \.|resume \S+)$/;
const limitMs = 90_000;

function replaced(word: string, values: Readonly<Record<string, string>>): string {
  return values[word] ?? word.replace('<token>', values['<token>'] ?? '');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
