// Replaces a module of the MCP SDK at build time (see scripts/build.mjs). The SDK's default validator for Node is AJV,
// a third of the bundle. This one is the SDK's alternative, at a seventh of the size.
import process from 'node:process';

export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
export { process };
