import console from "node:console";
import { writeSync } from "node:fs";
import process from "node:process";
import { RalphError } from "./core/errors.ts";
import { foreseen } from "./core/system-error.ts";
import { VERSION } from "./version.ts";

/** The first words that need nothing else of ralph, so that they cost nothing else. */
async function start(argv: readonly string[]): Promise<number> {
  if (argv[0] === "--version") {
    console.log(VERSION);
    return 0;
  }
  if (argv[0] === "__demo-agent") {
    const [{ runDemoAgent }, { selfCommand }] = await Promise.all([
      import("./cli/commands/demo-agent.ts"),
      import("./effects/self.ts"),
    ]);
    return runDemoAgent({
      argv: argv.slice(1),
      env: process.env,
      cwd: process.cwd(),
      self: selfCommand(import.meta.url),
    });
  }
  if (argv[0] === "__complete") {
    const { completeWords } = await import("./cli/line/complete-words.ts");
    console.log(completeWords(argv.slice(1), process.cwd(), process.env));
    return 0;
  }
  const { runCommand } = await import("./cli/run-command.ts");
  return runCommand(argv, import.meta.url);
}

function report(error: unknown, json: boolean): number {
  const known =
    foreseen(error) ??
    new RalphError("internal", `Something unexpected failed: ${wordsOf(error)}`, {
      hint: "Run again with -v for details, and report it with them.",
      cause: error,
    });
  if (json) {
    console.log(JSON.stringify({ error: { code: known.code, message: known.message, hint: known.hint } }));
  } else {
    say(`ralph: ${known.message}\n${known.hint === null ? "" : `  ${known.hint}\n`}`);
    if (known !== error && (process.argv.includes("-v") || process.argv.includes("--verbose"))) console.error(error);
  }
  return known.exit;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Bun's console writes errors in red, wherever it thinks that a terminal is, and knows nothing of `--no-color`. */
function say(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // nobody reads
  }
}

const argv = process.argv.slice(2);
const end = argv.indexOf("--");
const json = (end === -1 ? argv : argv.slice(0, end)).includes("--json");

// What fails where nobody awaits it: in a timer, or a signal's handler. A screen gives its terminal back first.
process.on("uncaughtException", (error) => setImmediate(() => process.exit(report(error, json))));
start(argv).then(
  (code) => process.exit(code),
  (error: unknown) => process.exit(report(error, json)),
);
