/** Claude Code truncates longer names to this length and appends a hash. */
const maxNameChars = 200;

/** The project folder in which Claude Code stores the sessions of a folder. Several folders can share one. */
export function projectFolderName(realPath: string): string {
  return realPath.replaceAll(/[^a-zA-Z0-9]/g, '-');
}

/** Matches the project folders that may hold the sessions of a folder. */
export function mayHoldSessionsOf(realPath: string): (folderName: string) => boolean {
  const name = projectFolderName(realPath);
  if (name.length <= maxNameChars) return (folderName) => folderName === name;
  return (folderName) => folderName.startsWith(name.slice(0, maxNameChars));
}
