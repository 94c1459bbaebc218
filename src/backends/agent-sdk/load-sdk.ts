import { createRequire } from 'node:module';
import { AppError } from '../../core/errors.js';

const name = '@anthropic-ai/claude-agent-sdk';

/** The SDK is an optional dependency. Only resolves it, because loading takes long. */
export function isSdkInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

export async function loadSdk(): Promise<typeof import('@anthropic-ai/claude-agent-sdk')> {
  if (!isSdkInstalled()) {
    throw new AppError('UNAVAILABLE', 'The Claude Agent SDK is not installed with this server', {
      hint: `Let the operator start this server with --backend cli, which needs only a claude on the PATH, or install ${name} with it.`,
    });
  }
  return import('@anthropic-ai/claude-agent-sdk');
}
