import { inspect } from "node:util";
import { type ConsolaReporter, createConsola, LogLevels, type LogType } from "consola/core";
import { RalphError } from "../core/errors.ts";

/** What is said beside results and live views. */
export type Log = {
  /** What ended the command, or a part of it. */
  error(error: RalphError): void;
  warn(text: string): void;
  /** What a person should know and need not mend. */
  log(text: string): void;
  /** What goes on; not with `--quiet`. */
  info(text: string): void;
  /** What is behind an error; with `-v`. */
  debug(cause: unknown): void;
};

export type LogOptions = {
  quiet: boolean;
  verbose: boolean;
  /** Errors are documents on stdout. */
  json: boolean;
  color: boolean;
  stdout(text: string): void;
  stderr(text: string): void;
};

/** Makes a log on consola. Its own reporters touch `process.stderr`, which costs 9 ms at each start: ours write by functions. */
export function createLog(options: LogOptions): Log {
  const text = options.color ? terminalReporter(options) : plainReporter(options);
  const reporter = options.json ? jsonReporter(options, text) : text;
  return createConsola({
    level: options.verbose ? LogLevels.debug : LogLevels.info,
    // Nothing is left out because it was said before.
    throttle: 0,
    reporters: [options.quiet ? quietReporter(reporter) : reporter],
  });
}

function plainReporter({ stderr }: Pick<LogOptions, "stderr">): ConsolaReporter {
  return { log: ({ type, args: [said] }) => stderr(linesOf(type, said, false)) };
}

function terminalReporter({ stderr }: Pick<LogOptions, "stderr">): ConsolaReporter {
  return { log: ({ type, args: [said] }) => stderr(linesOf(type, said, true)) };
}

/** For programs: an error is the result. What is behind it is for people. */
function jsonReporter({ stdout }: Pick<LogOptions, "stdout">, text: ConsolaReporter): ConsolaReporter {
  return {
    log(entry, context) {
      const [said]: unknown[] = entry.args;
      if (said instanceof RalphError) {
        const { code, message, hint } = said;
        stdout(`${JSON.stringify({ error: { code, message, hint } })}\n`);
      } else if (entry.type !== "debug") text.log(entry, context);
    },
  };
}

function quietReporter(reporter: ConsolaReporter): ConsolaReporter {
  return {
    log(entry, context) {
      if (entry.type !== "info") reporter.log(entry, context);
    },
  };
}

function linesOf(type: LogType, said: unknown, colors: boolean): string {
  if (type === "debug") return `${inspect(said, { colors })}\n`;
  if (said instanceof RalphError) return `ralph: ${said.message}\n${said.hint === null ? "" : `  ${said.hint}\n`}`;
  const text = String(said);
  return text.endsWith("\n") ? text : `${text}\n`;
}
