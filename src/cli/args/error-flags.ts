/** How an error is told, read from the words before `--`: an error can come before the words are read in earnest. */
export function errorFlags(argv: readonly string[]): { json: boolean; verbose: boolean } {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return { json: words.includes("--json"), verbose: words.includes("-v") || words.includes("--verbose") };
}
