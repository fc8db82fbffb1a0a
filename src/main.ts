import { VERSION } from "./version.ts";

/** Typed here, as not every runtime's types know it; `node:console` would be loaded for one line. */
const { console } = globalThis as unknown as { console: { log(line: string): void } };

/** Answers the first words that need nothing else of ralph before anything else is loaded. */
async function start(argv: readonly string[]): Promise<number> {
  if (argv[0] === "--version") {
    console.log(VERSION);
    return 0;
  }
  if (argv.length === 1 && (argv[0] === "--help" || argv[0] === "-h")) {
    const { printOverview } = await import("./cli/print-overview.ts");
    if (await printOverview(process.argv0)) return 0;
  }
  if (argv[0] === "__demo-agent") {
    const [{ runDemoAgent }, { selfCommand }] = await Promise.all([
      import("./cli/commands/demo-agent.ts"),
      import("./effects/process/self.ts"),
    ]);
    return runDemoAgent({
      argv: argv.slice(1),
      env: process.env,
      cwd: process.cwd(),
      self: selfCommand(import.meta.url),
    });
  }
  if (argv[0] === "__guardian") {
    const { guardAgents } = await import("./effects/process/guard-agents.ts");
    await guardAgents(process.stdin);
    return 0;
  }
  if (argv[0] === "__pdf-thread") {
    // The program as one file is the entry of its threads too. Whoever started this one ends it.
    await import("./effects/files/pdf-thread.ts");
    return new Promise(() => {});
  }
  if (argv[0] === "__complete") {
    const { completeWords } = await import("./cli/args/complete-words.ts");
    console.log(completeWords(argv.slice(1), process.cwd(), process.env));
    return 0;
  }
  if (argv[0] === "ui" && (argv[1] === undefined || argv[1] === "open" || argv[1].startsWith("--"))) {
    const [{ restartLean }, { selfCommand }] = await Promise.all([
      import("./effects/process/restart-lean.ts"),
      import("./effects/process/self.ts"),
    ]);
    restartLean(selfCommand(import.meta.url));
  }
  const { runCommand } = await import("./cli/run-command.ts");
  return runCommand(argv, import.meta.url);
}

/** Loads the code that reports an error only once there is one. */
async function fail(error: unknown): Promise<never> {
  const { reportFailure } = await import("./cli/run-command.ts");
  process.exit(reportFailure(error, argv));
}

const argv = process.argv.slice(2);

// Catches errors that no promise carries: in a timer or a signal handler. `setImmediate` lets a screen restore its
// terminal first.
process.on("uncaughtException", (error) => setImmediate(() => void fail(error)));
start(argv).then((code) => process.exit(code), fail);
