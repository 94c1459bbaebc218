declare const __VERSION__: string;

/** The build inserts it from package.json. */
export const version = __VERSION__;
