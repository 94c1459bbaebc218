/** Claude Code cuts longer names here and adds a hash. */
const maxNameChars = 200;

/** The name under which Claude Code files the sessions of a folder. Different folders can share one. */
export function projectFolderName(realPath: string): string {
  return realPath.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** Whether the sessions of a folder may lie in the project folder of this name. */
export function mayHoldSessionsOf(realPath: string): (folderName: string) => boolean {
  const name = projectFolderName(realPath);
  if (name.length <= maxNameChars) return (folderName) => folderName === name;
  return (folderName) => folderName.startsWith(name.slice(0, maxNameChars));
}
