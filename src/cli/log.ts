import process from "node:process";
import { type ConsolaReporter, createConsola, LogLevels, type LogType } from "consola/core";
import { RalphError } from "../core/errors.ts";
import { ERROR_MARK } from "../core/swarm/last-error.ts";
import { visibleControls } from "../core/text/plain-text.ts";
import { wrap } from "../view/text/text.ts";

/** All output that is neither a result nor a live view. */
export type Log = {
  /** What ended the command, or part of it. */
  error(error: RalphError): void;
  warn(text: string): void;
  /** What the user should know and need not fix. */
  log(text: string): void;
  /** Progress; silent with `--quiet`. */
  info(text: string): void;
  /** The cause of an error; shown with `-v`. */
  debug(cause: unknown): void;
};

export type LogOptions = {
  quiet: boolean;
  verbose: boolean;
  /** Errors are documents on stdout. */
  json: boolean;
  color: boolean;
  /** Columns of the terminal that shows stderr; Infinity where there is none. Asked only for an error. */
  width(): number;
  stdout(text: string): void;
  stderr(text: string): void;
};

/**
 * Makes a log on consola, with our own reporters: consola's touch `process.stderr`, which costs 9 ms at each start. It is made
 * when there is something to say.
 */
export function createLog(options: LogOptions): Log {
  let made: Log | null = null;
  const log = () => {
    made ??= consolaFor(options);
    return made;
  };
  return {
    error: (error) => log().error(error),
    warn: (text) => log().warn(text),
    log: (text) => log().log(text),
    info: (text) => log().info(text),
    debug: (cause) => log().debug(cause),
  };
}

function consolaFor(options: LogOptions): Log {
  const text = textReporter(options);
  const reporter = options.json ? jsonReporter(options, text) : text;
  return createConsola({
    level: options.verbose ? LogLevels.debug : LogLevels.info,
    // Repeated messages are all shown.
    throttle: 0,
    reporters: [options.quiet ? quietReporter(reporter) : reporter],
  });
}

function textReporter(options: LogOptions): ConsolaReporter {
  return { log: ({ type, args: [value] }) => options.stderr(visibleControls(linesOf(type, value, options))) };
}

/** For programs: an error is the result, printed as a document. Its cause is for people, and left out. */
function jsonReporter({ stdout }: Pick<LogOptions, "stdout">, text: ConsolaReporter): ConsolaReporter {
  return {
    log(entry, context) {
      const [value]: unknown[] = entry.args;
      if (value instanceof RalphError) {
        const { code, message, hint } = value;
        // JSON escapes not all that a terminal obeys.
        stdout(visibleControls(`${JSON.stringify({ error: { code, message, hint } })}\n`));
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

function linesOf(type: LogType, value: unknown, { color, width }: Pick<LogOptions, "color" | "width">): string {
  if (type === "debug") return `${process.getBuiltinModule("node:util").inspect(value, { colors: color })}\n`;
  if (value instanceof RalphError) return `${errorLines(value, width()).join("\n")}\n`;
  const text = String(value);
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** What happened, and below it, indented, what to do; folded between words. */
function errorLines({ message, hint }: RalphError, width: number): string[] {
  const folded = (text: string, indent: string) =>
    text.split("\n").flatMap((line) => {
      const own = /^ */.exec(line)?.[0] ?? "";
      return wrap(line.trimStart(), width - own.length - indent.length).map((part) => `${indent}${own}${part}`);
    });
  return [...folded(`${ERROR_MARK}${message}`, ""), ...(hint === null ? [] : folded(hint, "  "))];
}
