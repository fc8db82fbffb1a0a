/** Whether a platform's file systems ignore case in names. */
export function foldsCase(platform: NodeJS.Platform): boolean {
  return platform === "darwin" || platform === "win32";
}

/**
 * A path relative to the project's folder, with forward slashes; null if it is not below the folder.
 * @param path absolute
 * @param foldCase ignore case; a path with a drive letter always ignores case, on any platform
 */
export function insideProject(path: string, project: string, foldCase: boolean): string | null {
  const slashed = path.replaceAll("\\", "/");
  const root = `${project.replaceAll("\\", "/").replace(/\/$/, "")}/`;
  const form = (text: string) => (foldCase || /^[a-z]:/i.test(root) ? text.toLowerCase() : text);
  return form(slashed.slice(0, root.length)) === form(root) ? slashed.slice(root.length) : null;
}
