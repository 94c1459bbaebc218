import type { Arguments } from '../config/arguments.js';
import { ConfigError } from '../config/config-error.js';
import { clients } from '../console/clients/table.js';
import { bashCompletion } from '../console/completion/bash.js';
import { fishCompletion } from '../console/completion/fish.js';
import { completions, shells } from '../console/completion/model.js';
import { zshCompletion } from '../console/completion/zsh.js';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export async function completion({ operand = '' }: Arguments): Promise<string> {
  const shell = shells.find((name) => name === operand);
  if (shell === undefined)
    throw new ConfigError(`completion ${operand}: must be one of ${shells.join(', ')}.`);
  return scripts[shell](completions(Object.keys(clients)));
}
