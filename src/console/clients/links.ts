import { entryName, type Launch } from './client.js';
import { clients } from './table.js';

export interface InstallLink {
  /** For browsers and pages, including those that allow no other links than https. */
  readonly web: string;
  /** Opens the program directly. */
  readonly app: string;
}

/** Links with which a click adds the server to a client. */
export const installLinks: Readonly<Record<'cursor' | 'vscode', (launch: Launch) => InstallLink>> = {
  cursor(launch) {
    const config = Buffer.from(JSON.stringify(clients.cursor.entry(launch))).toString('base64');
    const query = new URLSearchParams({ name: entryName, config }).toString();
    return {
      web: `https://cursor.com/install-mcp?${query}`,
      app: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
    };
  },
  vscode(launch) {
    const entry = clients.vscode.entry(launch);
    const config = encodeURIComponent(JSON.stringify(entry));
    return {
      web: `https://insiders.vscode.dev/redirect/mcp/install?name=${entryName}&config=${config}`,
      app: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: entryName, ...entry }))}`,
    };
  },
};
