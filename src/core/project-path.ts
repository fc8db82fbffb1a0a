/** Whether the file systems of a platform take names that differ in case only for the same. */
export function foldsCase(platform: NodeJS.Platform): boolean {
  return platform === "darwin" || platform === "win32";
}

/**
 * A path as seen from the project's folder, with forward slashes; null if it is not below it.
 * @param path absolute
 * @param foldCase compare without regard to case; a path with a drive is always compared so, wherever it is read
 */
export function insideProject(path: string, project: string, foldCase: boolean): string | null {
  const slashed = path.replaceAll("\\", "/");
  const root = `${project.replaceAll("\\", "/").replace(/\/$/, "")}/`;
  const form = (text: string) => (foldCase || /^[a-z]:/i.test(root) ? text.toLowerCase() : text);
  return form(slashed.slice(0, root.length)) === form(root) ? slashed.slice(root.length) : null;
}
