import { dirname } from 'node:path';
import type { GateDecision } from '../../core/claude/gate.js';
import { AppError } from '../../core/errors.js';
import type { EffectiveOptions } from '../../core/options/index.js';
import { foldersOf } from '../../core/options/place.js';
import { isInside } from '../../core/paths.js';
import { mayAskPerson, type CallerStanding } from '../approvals.js';
import { isProtectedFile, isWithinRoots, refuseFolder, type FolderBounds } from '../folders.js';
import type { Target } from '../gate/call.js';
import { quotedRule } from '../permission-rules.js';
import { readRuleFor } from './read-rules.js';
import type { PolicySettings } from '../settings.js';

export interface AttachmentQuestion {
  /** As the caller wrote it. */
  readonly path: string;
  readonly target: Target;
  /** The options of the turn that gets the file. */
  readonly options: EffectiveOptions;
  readonly bounds: FolderBounds;
  readonly realKeyFolders: readonly string[];
  /** The home of Claude Code's user, as `~` in rules. */
  readonly home: string;
  readonly policy: PolicySettings;
  readonly standing: CallerStanding;
  /** Judges Claude's own Read of the file, in a session with these options. */
  readonly judgeRead: (options: EffectiveOptions) => GateDecision;
}

/**
 * Refuses a file that Claude could not read without asking. The server reads it with its own rights, so an attachment
 * must not be a way around the rules for Read. Says nothing about files outside the roots, not even whether they exist.
 */
export function refuseAttachment(question: AttachmentQuestion): void {
  const { path, target, bounds, realKeyFolders, home } = question;
  if (!isWithinRoots(target.real, bounds)) throw new AppError('attachment_outside', { path });
  if (isProtectedFile(target.real, bounds, realKeyFolders))
    throw new AppError('attachment_protected', { path });
  const options = withFolderOf(question);
  const { permissionRules, disallowedTools = [] } = options;
  const places = { folders: foldersOf(options), home };
  const denied = readRuleFor([...disallowedTools, ...(permissionRules?.deny ?? [])], target, places);
  if (denied !== undefined) throw new AppError('attachment_denied', { path, rule: quotedRule(denied) });
  const asking = readRuleFor(permissionRules?.ask ?? [], target, places);
  if (asking !== undefined)
    throw new AppError('attachment_needs_approval', {
      path,
      why: `the permission rule ${quotedRule(asking)} asks`,
    });
  const decision = question.judgeRead(options);
  if (decision !== 'pass') throw new AppError('attachment_needs_approval', { path, why: decision.ask });
}

/**
 * The options, with the file in one of the session's folders. Elsewhere Claude Code asks before it reads. A caller that
 * could allow that itself may do so by attaching the file, but only in the roots that the operator chose, and only where
 * a session may work.
 */
function withFolderOf(question: AttachmentQuestion): EffectiveOptions {
  const { path, target, options, bounds, realKeyFolders, policy, standing } = question;
  if (foldersOf(options).some((folder) => isInside(target.real, folder))) return options;
  if (bounds.roots.length === 0 || mayAskPerson(policy, standing))
    throw new AppError('attachment_outside', { path });
  const folder = dirname(target.real);
  refuseFolder('attachments', folder, bounds, realKeyFolders);
  return { ...options, additionalDirectories: [...(options.additionalDirectories ?? []), folder] };
}
