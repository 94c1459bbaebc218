import { viewType, type TextResource } from './text-resource.js';

/** The page that clients with MCP Apps display for a tool. */
export function viewResource(uri: string, read: () => Promise<string>): TextResource {
  return {
    name: 'view',
    uri,
    title: 'Claude Code sessions',
    description: 'Open requests and sessions, for clients with MCP Apps.',
    mimeType: viewType,
    isFixed: true,
    read,
  };
}
