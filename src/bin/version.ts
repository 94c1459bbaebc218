declare const __VERSION__: string;

/** From package.json, by the build. */
export const version = __VERSION__;
