import { RalphError } from "../core/errors.ts";
import { isRecord } from "../core/json-value.ts";
import type { AgentEvent, Command, Decoder, Driver } from "../driver.ts";
import { findDriverProblems, MEMBERS } from "./check-driver.ts";
import { checkedEvent } from "./check-event.ts";

/**
 * Wraps a user's driver so the loop can rely on it. Binds its members (it may be an instance of a class), and rejects an
 * invalid command by name, as it does what else a member throws or gives. An error of its decoder becomes an unknown event: it costs
 * the line or the event, never the run.
 * @param file the driver's source, for error messages
 */
export function makeSafeDriver(driver: Driver, file: string): Driver {
  const bound = Object.keys(MEMBERS).flatMap((member) => {
    const value: unknown = driver[member as keyof Driver];
    if (value === undefined) return [];
    return [[member, typeof value === "function" ? namedErrors(value.bind(driver), member, file) : value] as const];
  });
  // findDriverProblems checked each member; binding changes no type.
  const own = Object.fromEntries(bound) as Driver;
  const { decoder, forVersion, prepareLiveCommand, usageFiles } = own;
  return {
    ...own,
    buildCommand: (request) => checkedCommand(own.buildCommand(request), file),
    ...(prepareLiveCommand === undefined
      ? {}
      : { prepareLiveCommand: (command) => checkedCommand(prepareLiveCommand(command), file, "prepareLiveCommand") }),
    ...(forVersion === undefined ? {} : { forVersion: (version) => checkedVersion(forVersion(version), file) }),
    ...(usageFiles === undefined ? {} : { usageFiles: (host, id) => checkedPaths(() => usageFiles(host, id)) }),
    ...(decoder === undefined ? {} : { decoder: (kit, facts) => makeSafeDecoder(decoder(kit, facts)) }),
  };
}

/** Members that give a text; null, or nothing, for none. */
const TEXTS: ReadonlySet<string> = new Set([
  "extractSessionId",
  "fallbackSessionId",
  "checkAvailable",
  "preflight",
] satisfies (keyof Driver)[]);

/** The member, whose errors and wrong answers name it and its file. */
function namedErrors(member: (...all: unknown[]) => unknown, name: string, file: string) {
  const hint = "Mend the driver, or ask who wrote it.";
  const failed = (cause: unknown): never => {
    if (cause instanceof RalphError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RalphError("config", `${name} of the driver ${file} failed: ${why}`, { hint, cause });
  };
  const checked = (value: unknown): unknown => {
    if (!TEXTS.has(name) || typeof value === "string") return value;
    if (value === undefined || value === null) return null;
    throw new RalphError("config", `${name} of the driver ${file} gave what is no text.`, { hint });
  };
  return (...all: unknown[]): unknown => {
    try {
      const value = member(...all);
      return value instanceof Promise ? value.then(checked).catch(failed) : checked(value);
    } catch (error) {
      return failed(error);
    }
  };
}

function checkedVersion(value: unknown, file: string): Driver {
  const [problem] = findDriverProblems(value);
  // A value without problems is a driver, as far as a check without running it can show.
  if (problem === undefined) return makeSafeDriver(value as Driver, file);
  throw new RalphError("config", `forVersion of the driver ${file} did not return a driver: ${problem}.`, {
    hint: "It must return a whole driver: the one at hand for a version that can do all it says.",
  });
}

function checkedCommand(value: unknown, file: string, member: keyof Driver = "buildCommand"): Command {
  if (isCommand(value)) return value;
  throw new RalphError("config", `${member} of the driver ${file} did not return a command.`, {
    hint: "It must return { argv: [program, ...arguments], stdin?: text, env?: { NAME: text } }.",
  });
}

/** Without them usage is unknown, which ends no run. */
function checkedPaths(read: () => unknown): string[] {
  try {
    const paths = read();
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

function isCommand(value: unknown): value is Command {
  if (!isRecord(value)) return false;
  const { argv, stdin, env } = value;
  return (
    Array.isArray(argv) &&
    argv.length > 0 &&
    argv.every((word) => typeof word === "string") &&
    (stdin === undefined || typeof stdin === "string") &&
    (env === undefined || (isRecord(env) && Object.values(env).every((one) => typeof one === "string")))
  );
}

function makeSafeDecoder(decoder: Decoder): Decoder {
  return {
    line: (text) => catchDecoderErrors(() => decoder.line(text)),
    end: (stderr) => catchDecoderErrors(() => decoder.end(stderr)),
  };
}

function catchDecoderErrors(read: () => unknown): AgentEvent[] {
  try {
    const events = read();
    return Array.isArray(events) ? events.map(asEvent) : [failed("it gave no list of events")];
  } catch (error) {
    return [failed(error instanceof Error ? error.message : String(error))];
  }
}

function asEvent(event: unknown): AgentEvent {
  try {
    const checked = checkedEvent(event);
    return typeof checked === "string" ? failed(checked) : checked;
  } catch (error) {
    return failed((error as Error).message);
  }
}

/** Counted and shown once per reason, like an unknown event. */
function failed(why: string): AgentEvent {
  return { type: "unknown", name: `a line that the driver could not read (${why})` };
}
