/** `npm run demo`: a real session asks, is allowed, and finishes, on this machine and without a key. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setStage } from './demo/stage.js';
import { DemoFailure, tellStory } from './demo/story.js';
import { createTerminal, type Terminal } from './demo/terminal.js';

const help = `Usage: npm run demo [-- --live]

Starts the built server as an MCP client would, and behind it the real Claude Code: a session is started, asks
before it writes a file, is allowed, finishes, and goes on. Every step is checked; the exit code tells.

  --live   use the real model: needs ANTHROPIC_API_KEY in the environment, and costs some cents
  --help   show this

Everything happens in a temporary folder, which is removed at the end. Without --live there is no key and no
network: the model is a script on this machine.
`;

const failed = 1;
const wrongUsage = 2;
const server = fileURLToPath(new URL('../dist/claude-code-mcp.js', import.meta.url));

process.exit(await main());

async function main(): Promise<number> {
  const { live, help: isHelpWanted } = readFlags();
  if (isHelpWanted === undefined) return wrongUsage;
  if (isHelpWanted) {
    process.stdout.write(help);
    return 0;
  }
  if (live && !process.env['ANTHROPIC_API_KEY']) {
    process.stderr.write('--live needs ANTHROPIC_API_KEY in the environment, and it is not set.\n');
    return wrongUsage;
  }
  if (!existsSync(server)) {
    process.stderr.write('The server is not built: run `npm run build` first.\n');
    return failed;
  }
  return play(live, createTerminal(process.stdout, process.env['NO_COLOR']));
}

function readFlags(): { live: boolean; help: boolean | undefined } {
  try {
    const { values } = parseArgs({
      options: {
        live: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${help}`);
    return { live: false, help: undefined };
  }
}

async function play(live: boolean, terminal: Terminal): Promise<number> {
  const startedAt = performance.now();
  const interrupted = interruption();
  const stage = await setStage(live ? process.env : undefined);
  try {
    terminal.line('claude-code-mcp demo', 'bold');
    terminal.line(
      live
        ? 'A real MCP client, the built server, the real Claude Code, the real model.'
        : 'A real MCP client, the built server, the real Claude Code. The model is a script on this machine: no key, no network.',
    );
    terminal.line(`Everything happens in ${stage.sandbox.root}`);
    const exitCode = await Promise.race([tellStory(stage, terminal), interrupted]);
    if (exitCode !== undefined) return exitCode;
    await stage.clear();
    if (existsSync(stage.sandbox.root)) throw new DemoFailure(`${stage.sandbox.root} could not be removed`);
    terminal.passed(`${stage.sandbox.root} is removed`);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write('\n');
    terminal.line(`Done in ${seconds} s: every step above was checked, not assumed.`, 'bold');
    return 0;
  } catch (error) {
    process.stdout.write('\n');
    terminal.failed(reasonOf(error));
    if (stage.complaints() !== '') terminal.quote(stage.complaints());
    return failed;
  } finally {
    await stage.clear();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DemoFailure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Resolves with the exit code at Ctrl-C, or when nobody reads on. The handlers stay: tsx passes a Ctrl-C on that the
 * terminal has sent us already, and without a handler the second one would end us before we have cleaned up.
 */
function interruption(): Promise<number> {
  return new Promise((resolve) => {
    process
      .on('SIGINT', () => resolve(130))
      .on('SIGTERM', () => resolve(143))
      .on('SIGHUP', () => resolve(129));
    process.stdout.on('error', () => resolve(failed));
  });
}
