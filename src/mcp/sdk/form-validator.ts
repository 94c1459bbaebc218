// A file of its own, because the bundler keeps the rest together only if it loads later parts from our own files.
export { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
