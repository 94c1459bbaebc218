// Stands in for the MCP SDK's own choice at build time (see scripts/build.mjs): its validator for Node is AJV,
// which alone is a third of the bundle; this one is the SDK's other validator, a seventh of the size.
import process from 'node:process';

export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
export { process };
