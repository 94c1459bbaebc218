/** `npm run demo`: a real session requests permission, gets it, and finishes. Runs locally, without an API key. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setStage } from './demo/stage.js';
import { DemoFailure, tellStory } from './demo/story.js';
import { createTerminal, type Terminal } from './demo/terminal.js';

const help = `Usage: npm run demo [-- --live]

Starts the built server like an MCP client, with the real Claude Code. A session starts, asks before it writes a
file, gets permission, finishes, and takes a follow-up prompt. Every step is checked. The exit code is 0 if all pass.

  --live   use the real model; requires ANTHROPIC_API_KEY and costs a few cents
  --help   show this help

The demo works in a temporary folder and removes it at the end. Without --live it needs no API key and no network:
the model is a script on this machine.
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
    process.stderr.write(
      '--live requires ANTHROPIC_API_KEY, which is not set. Set it and run the demo again.\n',
    );
    return wrongUsage;
  }
  if (!existsSync(server)) {
    process.stderr.write('The server is not built. Run `npm run build` first.\n');
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
        : 'A real MCP client, the built server, the real Claude Code. The model is a script on this machine: no API key, no network.',
    );
    terminal.line(`Working folder: ${stage.sandbox.root}`);
    const exitCode = await Promise.race([tellStory(stage, terminal), interrupted]);
    if (exitCode !== undefined) return exitCode;
    await stage.clear();
    if (existsSync(stage.sandbox.root)) throw new DemoFailure(`${stage.sandbox.root} could not be removed`);
    terminal.passed(`${stage.sandbox.root} was removed`);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write('\n');
    terminal.line(`Done in ${seconds} s. Every step was checked.`, 'bold');
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
 * Resolves with the exit code on Ctrl-C, or when the reader of stdout exits. The handlers stay installed: tsx forwards
 * a Ctrl-C that the terminal has already sent, and an unhandled second one would end the process before cleanup.
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
