/** A port on this machine only. */
export interface LoopbackAddress {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

const address = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\])?:(\d{1,5})$/;

/** Undefined when the text is not an address and port that only this machine can reach. */
export function loopbackAddress(text: string): LoopbackAddress | undefined {
  const [, host = '127.0.0.1', digits] = address.exec(text) ?? [];
  if (digits === undefined || Number(digits) > 65_535) return undefined;
  // Never resolves localhost, because its entry could point elsewhere.
  const named = host === 'localhost' ? '127.0.0.1' : host;
  return { host: named === '[::1]' ? '::1' : named, port: Number(digits) };
}
