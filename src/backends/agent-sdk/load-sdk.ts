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
    throw new AppError('sdk_missing', { packageName: name });
  }
  return import('@anthropic-ai/claude-agent-sdk');
}
