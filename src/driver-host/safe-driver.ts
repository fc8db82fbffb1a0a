import { RalphError } from "../core/errors.ts";
import { isRecord } from "../core/json-value.ts";
import type { AgentEvent, Command, Decoder, Driver } from "../driver.ts";
import { findDriverProblems, MEMBERS } from "./check-driver.ts";

/**
 * Wraps a user's driver so the loop can rely on it. Binds its members (it may be an instance of a class), and rejects an
 * invalid command by name. An error of its decoder becomes an unknown event: it costs the line, never the run.
 * @param file the driver's source, for error messages
 */
export function makeSafeDriver(driver: Driver, file: string): Driver {
  const bound = Object.keys(MEMBERS).flatMap((member) => {
    const value: unknown = driver[member as keyof Driver];
    if (value === undefined) return [];
    return [[member, typeof value === "function" ? value.bind(driver) : value] as const];
  });
  // findDriverProblems checked each member; binding changes no type.
  const own = Object.fromEntries(bound) as Driver;
  const { decoder, forVersion } = own;
  return {
    ...own,
    buildCommand: (request) => checkedCommand(own.buildCommand(request), file),
    ...(forVersion === undefined ? {} : { forVersion: (version) => checkedVersion(forVersion(version), file) }),
    ...(decoder === undefined ? {} : { decoder: (kit, facts) => makeSafeDecoder(decoder(kit, facts)) }),
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

function checkedCommand(value: unknown, file: string): Command {
  if (isCommand(value)) return value;
  throw new RalphError("config", `buildCommand of the driver ${file} did not return a command.`, {
    hint: "It must return { argv: [program, ...arguments], stdin?: text, env?: { NAME: text } }.",
  });
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
  if (isRecord(event) && typeof event.type === "string") return event as AgentEvent;
  return failed("it gave an event without a type");
}

/** Counted and shown once per reason, like an unknown event. */
function failed(why: string): AgentEvent {
  return { type: "unknown", name: `a line that the driver could not read (${why})` };
}
