import console from "node:console";
import { writeSync } from "node:fs";
import { RalphError } from "../core/errors.ts";
import { toUserError } from "../core/system-error.ts";

/**
 * Tells what ended the program: where, and what to do next; with `json` as one document on stdout.
 * @param verbose whether what is behind it is shown as well
 * @returns the exit code
 */
export function reportError(error: unknown, { json, verbose }: { json: boolean; verbose: boolean }): number {
  const known =
    toUserError(error) ??
    new RalphError("internal", `Something unexpected failed: ${errorText(error)}`, {
      hint: "Run again with -v for details, and report it with them.",
      cause: error,
    });
  if (json) {
    console.log(JSON.stringify({ error: { code: known.code, message: known.message, hint: known.hint } }));
  } else {
    writeStderr(`ralph: ${known.message}\n${known.hint === null ? "" : `  ${known.hint}\n`}`);
    if (known !== error && verbose) console.error(error);
  }
  return known.exit;
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Bun's console writes errors in red, wherever it thinks that a terminal is, and knows nothing of `--no-color`. */
function writeStderr(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // nobody reads
  }
}
