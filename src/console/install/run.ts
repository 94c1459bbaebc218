import { escapeHidden } from '../../core/text/escape.js';
import type { Client, Launch } from '../clients/client.js';
import { offSwitchOf, stateOf } from '../clients/state.js';
import { clients, type ClientId } from '../clients/table.js';
import type { Paint } from '../terminal/paint.js';
import { wrap } from '../terminal/wrap.js';
import { diffText } from './diff.js';
import { planOf, type Action, type Plan } from './plan.js';

export interface Target {
  readonly id: ClientId;
  readonly file: string;
  readonly isInstalled: boolean;
}

/** The configuration files of clients. */
export interface ConfigFiles {
  /** The text of a file that may be changed, undefined if it does not exist. Throws a RefusedFileError. */
  read(path: string): Promise<string | undefined>;
  readBackup(path: string): Promise<string | undefined>;
  /** Replaces the text that was read. Returns the path of its backup. Throws a RefusedFileError. */
  replace(path: string, before: string | undefined, after: string): Promise<string | undefined>;
}

/** Why a file is not touched. */
export class RefusedFileError extends Error {
  override readonly name = 'RefusedFileError';
}

export interface RunSettings {
  readonly action: Action;
  readonly launch: Launch;
  readonly files: ConfigFiles;
  /** How the person runs another command of this program. */
  readonly command: string;
  readonly paint: Paint;
  /** Undefined: lines are not broken. */
  readonly columns: number | undefined;
  readonly write: (text: string) => void;
  /** Undefined: every change is wanted. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}

/** Changes the files of several clients, one after the other. Returns whether none was refused. */
export async function run(targets: readonly Target[], settings: RunSettings): Promise<boolean> {
  let isFine = true;
  for (const target of targets) {
    settings.write(heading(target, settings.paint));
    const { mark, text } = await outcomeOf(target, settings).catch((error: unknown) => {
      if (!(error instanceof RefusedFileError)) throw error;
      return refusal(target, error.message, settings);
    });
    if (mark === 'fail') isFine = false;
    const { paint, columns } = settings;
    // It can quote what other programs have written to the file.
    const lines = wrap(escapeHidden(text), columns && columns - indent.length);
    settings.write(`${markOf(mark, paint)} ${lines.join(`\n${indent}`)}\n\n`);
  }
  return isFine;
}

/** As wide as the mark before the first line. */
const indent = '  ';

interface Outcome {
  readonly mark: 'ok' | 'none' | 'fail';
  readonly text: string;
}

async function outcomeOf(target: Target, settings: RunSettings): Promise<Outcome> {
  const { action, launch, files, paint, write, confirm } = settings;
  const client = clients[target.id];
  const before = await files.read(target.file);
  const plan: Plan = planOf({
    action,
    client,
    launch,
    text: before,
    backup: action === 'uninstall' ? await files.readBackup(target.file) : undefined,
  });
  if (plan.kind === 'refused') return refusal(target, plan.why, settings);
  const off = action === 'install' ? offText(client, plan.kind === 'change' ? plan.text : before) : undefined;
  if (plan.kind === 'nothing')
    return off === undefined ? { mark: 'ok', text: plan.why } : { mark: 'none', text: off };
  if (before === undefined) write(paint('dim', '  This creates the file.\n'));
  write(diffText(before ?? '', plan.text, paint));
  if (confirm !== undefined && !(await confirm('Write this change?')))
    return { mark: 'none', text: 'Nothing was changed.' };
  const backup = await files.replace(target.file, before, plan.text);
  const kept = backup === undefined ? '' : ` The previous version is in ${backup}.`;
  return off === undefined
    ? { mark: 'ok', text: `${done[action](client)}${kept}` }
    : { mark: 'none', text: `${off}${kept}` };
}

/** Whether to start a server is for the person to decide who has turned it off. */
function offText(client: Client, text: string | undefined): string | undefined {
  const state = stateOf(client, text);
  const off = state.kind === 'configured' ? offSwitchOf(state.entry) : undefined;
  if (state.kind !== 'configured' || off === undefined) return undefined;
  return `${client.title} does not start this server: ${off} in its entry "${state.name}". Turn it on there.`;
}

const done: Readonly<Record<Action, (client: Client) => string>> = {
  install: ({ title, afterwards }) => `${title} now starts this server. ${afterwards}`,
  uninstall: ({ title }) => `${title} no longer starts this server.`,
};

function refusal({ id }: Target, why: string, { action, command }: RunSettings): Outcome {
  const byHand =
    action === 'install'
      ? `To add the entry by hand: ${command} install ${id} --print`
      : 'Remove the entry by hand.';
  return { mark: 'fail', text: `${why} Nothing was changed. ${byHand}` };
}

function heading({ id, file, isInstalled }: Target, paint: Paint): string {
  const note = isInstalled ? '' : paint('yellow', `  (${clients[id].title} was not found on this machine)`);
  return `${paint('bold', clients[id].title)}  ${paint('dim', escapeHidden(file))}${note}\n`;
}

function markOf(mark: Outcome['mark'], paint: Paint): string {
  if (mark === 'none') return paint('dim', '-');
  return mark === 'ok' ? paint('green', '✓') : paint('red', '✗');
}
