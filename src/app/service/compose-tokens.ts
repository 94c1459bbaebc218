import { TokenFile } from '../../http/auth/token-file.js';
import { exclusivelyIn } from '../state/exclusively.js';

/** The tokens in this state folder, which the service and the token commands may change at the same time. */
export function composeTokens(stateDir: string): TokenFile {
  return new TokenFile({ stateDir, exclusively: exclusivelyIn(stateDir, 'tokens') });
}
