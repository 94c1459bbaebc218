/** The commands that decide whose project files sessions load. */
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Arguments } from '../config/arguments.js';
import { ask, confirm } from '../console/terminal/ask.js';
import { CommandFailure } from '../console/terminal/failure.js';
import { paintFor } from '../console/terminal/paint.js';
import { howToTrust } from '../console/terminal/how-to-trust.js';
import { confirmationFor } from '../console/trust/confirmation.js';
import { trustedKeys, withTrust } from '../console/trust/trust-record.js';
import { alsoNeededText, contentsText, trustedText } from '../console/trust/words.js';
import { messageOf } from '../core/errors.js';
import { withParents } from '../core/paths.js';
import { jsonLine, oneLine } from '../core/text/escape.js';
import { isFolder } from '../files/folder-names.js';
import { realPath, realPathOfNearest } from '../files/real-path.js';
import { resolveClaudeHome, type ClaudeHome } from '../history/claude-home.js';
import { isFolderTrusted, projectKey } from '../history/settings/folder-trust.js';
import { projectContents } from '../history/settings/project-contents.js';
import { exists, filesAround } from '../history/settings/files-around.js';
import { BusyStateFileError, changeStateFile, readStateFile } from '../history/settings/state-file.js';
import { settingsFor } from './program.js';

const settled = 'Sessions that start from now on load these files.';

export async function trust(args: Arguments): Promise<string> {
  const { settings } = await settingsFor(args);
  const claudeHome = homeOfClaude();
  const trustedRoots = settings.trustedRoots ?? [];
  if (args.operand === undefined) return list(args, claudeHome, trustedRoots);
  const folder = await realFolder(args.operand);
  const name = oneLine(folder, 300);
  if (await isFolderTrusted({ claudeHome, folder, trustedRoots }))
    return args.json ? outcomeJson(folder) : `${name} is trusted already.\n`;
  const needed = confirmationFor(folder, await realHome());
  const paint = paintFor(process.stderr, process.env);
  const write = (text: string): void => void process.stderr.write(text);
  write(contentsText(folder, await projectContents(folder), paint));
  const above = await untrustedAbove(folder, claudeHome, trustedRoots);
  write(alsoNeededText(above));
  if (!(await isConfirmed(folder, needed, args))) throw new CommandFailure('Nothing was changed.');
  await change(claudeHome, projectKey(folder), true);
  if (args.json) return outcomeJson(folder);
  const [next] = above;
  const then = next === undefined ? settled : `If you trust ${oneLine(next, 300)}, too, ${howToTrust(next)}`;
  return `${name} is trusted now. ${then}\n`;
}

export async function untrust(args: Arguments): Promise<string> {
  const { settings } = await settingsFor(args);
  const claudeHome = homeOfClaude();
  // A folder that no longer exists can still be on record.
  const folder = realPathOfNearest(pathOf(args.operand ?? ''));
  const name = oneLine(folder, 300);
  const trusted = new Set(await trustedFolders(claudeHome));
  const isRecorded = trusted.has(projectKey(folder));
  if (isRecorded) await change(claudeHome, projectKey(folder), false);
  const above = withParents(dirname(folder)).find((parent) => trusted.has(projectKey(parent)));
  const notes = [
    isRecorded ? `${name} is no longer trusted.` : `${name} was not trusted.`,
    (await isFolderTrusted({ claudeHome, folder, trustedRoots: settings.trustedRoots ?? [] })) &&
      'But the setting trustedRoots contains it. Run claude-code-mcp config to see where it is set.',
    above !== undefined &&
      `In a terminal, Claude Code still trusts it, because ${oneLine(above, 300)} is trusted.`,
  ];
  return `${notes.filter((note) => note !== false).join('\n')}\n`;
}

function outcomeJson(folder: string): string {
  return `${jsonLine({ folder, isTrusted: true })}\n`;
}

async function list(args: Arguments, claudeHome: ClaudeHome, roots: readonly string[]): Promise<string> {
  const trusted = await Promise.all(
    (await trustedFolders(claudeHome)).map(async (folder) => ({ folder, exists: await exists(folder) })),
  );
  if (args.json) return `${jsonLine({ trusted, trustedRoots: roots })}\n`;
  return trustedText(trusted, roots, { paint: paintFor(process.stdout, process.env), home: homedir() });
}

async function isConfirmed(
  folder: string,
  needed: ReturnType<typeof confirmationFor>,
  { own }: Arguments,
): Promise<boolean> {
  if (needed === 'yes' && own.yes === '1') return true;
  const terminal = { input: process.stdin, write: (text: string) => void process.stderr.write(text) };
  if (!process.stdin.isTTY)
    throw new CommandFailure(
      needed === 'yes'
        ? 'trust needs a terminal to ask you. To skip the question, add --yes.'
        : 'trust needs a terminal to ask you, because this is your home folder.',
    );
  if (needed === 'yes') return confirm('Trust this folder?', terminal);
  const typed = await ask(
    `This is your home folder: all of its files become a project. To trust it, type its path (${oneLine(folder, 300)}): `,
    terminal,
  );
  return typed === folder;
}

async function untrustedAbove(
  folder: string,
  claudeHome: ClaudeHome,
  trustedRoots: readonly string[],
): Promise<readonly string[]> {
  const around = await filesAround(folder, await realHome());
  const above = [...new Set(around.map((file) => file.folder))];
  const trusted = await Promise.all(
    above.map((one) => isFolderTrusted({ claudeHome, folder: one, trustedRoots })),
  );
  return above.filter((_folder, index) => trusted[index] === false);
}

async function change({ stateFile }: ClaudeHome, key: string, isTrusted: boolean): Promise<void> {
  try {
    await changeStateFile(stateFile, (text) => withTrust(text, key, isTrusted));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const next = error instanceof BusyStateFileError ? ' Try again in a moment.' : '';
    throw new CommandFailure(`${stateFile} could not be changed: ${messageOf(error)}.${next}`);
  }
}

async function trustedFolders({ stateFile }: ClaudeHome): Promise<readonly string[]> {
  return trustedKeys(await readStateFile(stateFile));
}

async function realHome(): Promise<string> {
  return (await realPath(homedir())) ?? homedir();
}

async function realFolder(typed: string): Promise<string> {
  const path = pathOf(typed);
  const real = await realPath(path);
  const problem = real === undefined ? 'does not exist' : 'is not a folder';
  if (real === undefined || !(await isFolder(real)))
    throw new CommandFailure(`${oneLine(path, 300)} ${problem}.`);
  return real;
}

function pathOf(typed: string): string {
  return /^~(?=[/\\]|$)/.test(typed) ? join(homedir(), typed.slice(1)) : resolve(typed);
}

function homeOfClaude(): ClaudeHome {
  return resolveClaudeHome({ home: homedir(), configDir: process.env['CLAUDE_CONFIG_DIR'] });
}
