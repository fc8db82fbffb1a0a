/** How Bun names files inside a compiled binary, on POSIX and on Windows. */
const EMBEDDED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

/**
 * The command that starts this same ralph: the binary alone, or a runtime with the entry file.
 * @param entry URL of the entry module (`import.meta.url` of main.ts)
 */
export function selfCommand(entry: string): string[] {
  const script = process.argv[1] ?? "";
  if (EMBEDDED.test(script) || entry.includes("/$bunfs/") || entry.includes("~BUN"))
    return [programName(process.execPath)];
  return "deno" in process.versions ? [process.execPath, "run", "-A", entry] : [process.execPath, script];
}

/** The real path of a program: Linux appends a mark to it if an update replaced the file during the start. */
export function programName(path: string): string {
  return path.replace(/ \(deleted\)$/, "");
}
