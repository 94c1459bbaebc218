/** Apart from the schemas, because the settings need only the names. */
export const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'auto',
  'bypassPermissions',
] as const;
export type PermissionMode = (typeof permissionModes)[number];

export function isPermissionMode(text: string): text is PermissionMode {
  return permissionModes.some((mode) => mode === text);
}
