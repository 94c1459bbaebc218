/** One half of this device's credential; the other half is a cookie. Local storage is bound to host and port. */
const place = 'page-key';

export function readKey(): string | undefined {
  return localStorage.getItem(place) ?? undefined;
}

export function keepKey(key: string): void {
  localStorage.setItem(place, key);
}

export function forgetKey(): void {
  localStorage.removeItem(place);
}

/** How this device is named in the list of devices and in the audit, such as `Chrome on Android`. */
export function deviceName(): string {
  const agent = navigator.userAgent;
  const find = (names: readonly (readonly [RegExp, string])[]): string | undefined =>
    names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = find([
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/Firefox\/|FxiOS/, 'Firefox'],
    [/Chrome\/|CriOS|HeadlessChrome/, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]);
  const system = find([
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Mac OS/, 'Mac'],
    [/Windows/, 'Windows'],
    [/Linux/, 'Linux'],
  ]);
  return `${browser ?? 'Browser'}${system === undefined ? '' : ` on ${system}`}`;
}
