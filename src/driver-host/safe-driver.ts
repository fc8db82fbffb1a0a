import { MINUTE_MS, SECOND_MS } from "../core/durations.ts";
import { RalphError } from "../core/errors.ts";
import { isRecord } from "../core/json-value.ts";
import { messageOf } from "../core/system-error.ts";
import { placeInFile } from "../core/text/place-in-file.ts";
import { typedWord } from "../core/text/shell-words.ts";
import type { AgentEvent, Command, Decoder, Driver } from "../driver.ts";
import { answerWithin } from "./answer-within.ts";
import { findDriverProblems, kindOf, MEMBERS } from "./check-driver.ts";
import { checkedEvent } from "./check-event.ts";

/** What ralph tells in the place of a line that a user's decoder could not read: a fault of the driver, and of no agent. */
export type UnreadLine = Extract<AgentEvent, { type: "unknown" }> & { unread: true };

/**
 * Wraps a user's driver so the loop can rely on it. Binds its members (it may be an instance of a class), and names the member
 * that throws or gives what it must not, for the user to mend. An error of its decoder becomes an unknown event: it costs the line or
 * the event, never the run.
 * @param file the driver's source, for error messages
 * @param patienceMs how long a member that gives a promise may take
 */
export function makeSafeDriver(driver: Driver, file: string, patienceMs = PATIENCE_MS): Driver {
  const checked = (member: (...all: unknown[]) => unknown, name: keyof Driver) =>
    checkedMember(member, name, file, patienceMs);
  const bound = Object.keys(MEMBERS).flatMap((name) => {
    const member = name as keyof Driver;
    const value: unknown = driver[member];
    if (value === undefined) return [];
    return [[member, typeof value === "function" ? checked(value.bind(driver), member) : value] as const];
  });
  // findDriverProblems checked each member; binding changes no type.
  const own = Object.fromEntries(bound) as Driver;
  const { decoder, forVersion, usageFiles } = own;
  return {
    ...own,
    ...(forVersion === undefined ? {} : { forVersion: (version) => makeSafeDriver(forVersion(version), file) }),
    ...(usageFiles === undefined ? {} : { usageFiles: (host, id) => checkedPaths(() => usageFiles(host, id)) }),
    ...(decoder === undefined ? {} : { decoder: (kit, facts) => makeSafeDecoder(decoder(kit, facts), file) }),
  };
}

/** Long enough to ask an agent's own program. */
export const PATIENCE_MS = MINUTE_MS;

/** The members that may give a promise; the answer of any other is needed at once. */
const WAITED_FOR: ReadonlySet<keyof Driver> = new Set(["checkAvailable", "fallbackSessionId", "listModels"]);

/** What a member must give. */
type Gives = { what: string; fits(value: unknown): boolean };

const TEXT: Gives = { what: "a text", fits: isText };
/** Nothing counts as null. */
const TEXT_OR_NULL: Gives = { what: "a text or null", fits: (value) => value === null || isText(value) };
const COMMAND: Gives = {
  what: "a command: { argv: [program, ...arguments], stdin?: text, env?: { NAME: text } }",
  fits: isCommand,
};

const GIVES: Partial<Record<keyof Driver, Gives>> = {
  cliBinary: TEXT,
  buildCommand: COMMAND,
  prepareLiveCommand: COMMAND,
  decoder: { what: "{ line(text), end(stderr) }", fits: isDecoder },
  permissionDenialHelp: TEXT_OR_NULL,
  extractSessionId: TEXT_OR_NULL,
  fallbackSessionId: TEXT_OR_NULL,
  checkAvailable: TEXT_OR_NULL,
  preflight: TEXT_OR_NULL,
  listModels: {
    what: "a list of { id, label, is_default }, or null",
    fits: (value) => value === null || isModels(value),
  },
  forVersion: { what: "a driver", fits: (value) => findDriverProblems(value).length === 0 },
  sandbox: {
    what: "{ domains, state, fixed, env }, lists of texts, as copies is, and guarded: [{ folder, keeps, anew }]",
    fits: isNeeds,
  },
};

/** The member, whose errors and wrong answers name it and its place. */
function checkedMember(member: (...all: unknown[]) => unknown, name: keyof Driver, file: string, patienceMs: number) {
  const gives = GIVES[name];
  const failed = (cause: unknown): never => {
    if (cause instanceof RalphError) throw cause;
    throw fault(`${name} of the driver ${placeInFile(file, cause)} failed: ${messageOf(cause)}`, file, cause);
  };
  const checked = (given: unknown): unknown => {
    const value = given === undefined && gives?.fits(null) === true ? null : given;
    if (gives === undefined || gives.fits(value)) return value;
    const why =
      name === "forVersion" && !(value instanceof Promise)
        ? `: ${findDriverProblems(value)[0]}`
        : ` (it gave: ${kindOf(value)})`;
    throw fault(`${name} of the driver ${file} did not return ${gives.what}${why}.`, file);
  };
  const late = () => fault(`${name} of the driver ${file} gave no answer in ${patienceMs / SECOND_MS} s.`, file);
  return (...all: unknown[]): unknown => {
    try {
      const value = member(...all);
      if (!(value instanceof Promise)) return checked(value);
      if (WAITED_FOR.has(name)) return answerWithin(patienceMs, value, late).then(checked).catch(failed);
      // Its rejection would be one that nobody awaits.
      value.catch(() => {});
      return checked(value);
    } catch (error) {
      return failed(error);
    }
  };
}

/** It may come in the middle of a run, which ends as with all that the user can mend. */
function fault(message: string, file: string, cause?: unknown): RalphError {
  const hint = `Mend the driver, or ask who wrote it. One or two real calls try it: ralph drivers test ${typedWord(file)}`;
  return new RalphError("environment", message, { hint, cause });
}

/** Without them usage is unknown, which ends no run. */
function checkedPaths(read: () => unknown): string[] {
  try {
    const paths = read();
    return Array.isArray(paths) ? paths.filter(isText) : [];
  } catch {
    return [];
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCommand(value: unknown): value is Command {
  if (!isRecord(value)) return false;
  const { argv, stdin, env } = value;
  return (
    isTexts(argv) &&
    argv.length > 0 &&
    (stdin === undefined || isText(stdin)) &&
    (env === undefined || (isRecord(env) && Object.values(env).every(isText)))
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isDecoder(value: unknown): value is Decoder {
  return isRecord(value) && typeof value.line === "function" && typeof value.end === "function";
}

function isModels(value: unknown): boolean {
  return Array.isArray(value) && value.every((model) => isRecord(model) && isText(model.id));
}

function isNeeds(value: unknown): boolean {
  if (!isRecord(value) || ![value.domains, value.state, value.fixed, value.env].every(isTexts)) return false;
  const { guarded = [], copies = [] } = value;
  return isTexts(copies) && Array.isArray(guarded) && guarded.every(isGuarded);
}

function isGuarded(value: unknown): boolean {
  return isRecord(value) && isText(value.folder) && isTexts(value.keeps) && isTexts(value.anew);
}

function makeSafeDecoder(decoder: Decoder, file: string): Decoder {
  return {
    line: (text) => readEvents(() => decoder.line(text), file),
    end: (stderr) => readEvents(() => decoder.end(stderr), file),
  };
}

function readEvents(read: () => unknown, file: string): AgentEvent[] {
  try {
    const events = read();
    return Array.isArray(events)
      ? events.map((event) => asEvent(event, file))
      : [unread("it gave no list of events", file)];
  } catch (error) {
    return [unread(messageOf(error), placeInFile(file, error))];
  }
}

function asEvent(event: unknown, file: string): AgentEvent {
  try {
    const checked = checkedEvent(event);
    return typeof checked === "string" ? unread(checked, file) : checked;
  } catch (error) {
    return unread((error as Error).message, file);
  }
}

/** Counted and shown once per reason, like an unknown event. */
function unread(why: string, place: string): UnreadLine {
  return { type: "unknown", name: `a line that the driver ${place} could not read (${why})`, unread: true };
}
