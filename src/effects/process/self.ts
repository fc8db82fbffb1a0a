/** How Bun names the files inside a compiled binary, on POSIX and on Windows. */
const EMBEDDED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;

/**
 * The words that start this very ralph again: the binary alone, or a runtime with the entry file.
 * @param entry URL of the entry module (`import.meta.url` of main.ts)
 */
export function selfCommand(entry: string): string[] {
  const script = process.argv[1] ?? "";
  if (EMBEDDED.test(script) || entry.includes("/$bunfs/") || entry.includes("~BUN"))
    return [programName(process.execPath)];
  return "deno" in process.versions ? [process.execPath, "run", "-A", entry] : [process.execPath, script];
}

/** The name under which a program stands: Linux marks that of one which an update replaced while it was starting. */
export function programName(path: string): string {
  return path.replace(/ \(deleted\)$/, "");
}
