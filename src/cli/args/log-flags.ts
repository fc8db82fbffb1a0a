/**
 * The log's flags, read from the words before `--` without parsing: the log may have to report that parsing failed. A
 * separate value never looks like a flag, so each of these words is one.
 */
export function logFlags(argv: readonly string[]): {
  json: boolean;
  verbose: boolean;
  quiet: boolean;
  color: boolean | undefined;
} {
  const end = argv.indexOf("--");
  const words = new Set(end === -1 ? argv : argv.slice(0, end));
  return {
    json: words.has("--json"),
    verbose: words.has("-v") || words.has("--verbose"),
    quiet: words.has("-q") || words.has("--quiet"),
    color: words.has("--no-color") ? false : words.has("--color") || undefined,
  };
}
