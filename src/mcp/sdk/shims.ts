// Replaces a module of the MCP SDK's server and client at build time (see scripts/build.mjs). The SDK's default validator
// for Node is AJV, a third of the bundle. This one is the SDK's alternative, at a seventh of the size.
import type { CfWorkerJsonSchemaValidator } from './form-validator.js';

let validator: CfWorkerJsonSchemaValidator | undefined;

/** Call it before a form is shown: the SDK checks the reply at once. Before the first form, the start need not load it. */
export async function loadFormValidator(): Promise<void> {
  const loaded = await import('./form-validator.js');
  validator ??= new loaded.CfWorkerJsonSchemaValidator();
}

type GetValidator = CfWorkerJsonSchemaValidator['getValidator'];

export class DefaultJsonSchemaValidator implements Pick<CfWorkerJsonSchemaValidator, 'getValidator'> {
  getValidator<T>(schema: Parameters<GetValidator>[0]) {
    if (validator === undefined) throw new Error('A form was answered before its validator was loaded');
    return validator.getValidator<T>(schema);
  }
}

/** The global object itself: importing node:process reads every one of its properties. */
const { process } = globalThis;
export { process };

/** Part of the client's module. */
export const CORS_IS_POSSIBLE = false;
