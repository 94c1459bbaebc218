/** The server that tests start. `npm run test:packed` lets it be that of the installed package. */
import { fileURLToPath } from 'node:url';

export const serverEntry =
  process.env['TEST_SERVER_ENTRY'] ??
  fileURLToPath(new URL('../../dist/claude-code-mcp.js', import.meta.url));
