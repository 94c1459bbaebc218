import { messageOf } from '../../core/errors.js';
import type { Logger } from '../../core/observability/logger.js';
import type { PageAddress } from '../../state/page-addresses.js';
import type { Devices } from './compose-devices.js';

/** So that `open` finds the page. It can be used without that. */
export async function announce({ addresses }: Devices, address: PageAddress, logger: Logger): Promise<void> {
  try {
    await addresses.announce(address);
  } catch (error) {
    logger.log(
      'warn',
      '"claude-code-mcp open" cannot find the page, because its address could not be saved',
      {
        reason: messageOf(error),
      },
    );
  }
}
