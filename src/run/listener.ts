import {
  type CollectedOutput,
  collectEvent,
  emptyCollectedOutput,
  finalText,
} from "../core/answer/collected-output.ts";
import { errorLinesOfAnswer, statementInstead } from "../core/answer/error-excerpt.ts";
import { assessCall, type CallAssessment, type CallEvidence } from "../core/decide/call-assessment.ts";
import { isSessionId } from "../core/decide/session-id.ts";
import { toEventBody } from "../core/journal/agent-event-body.ts";
import type { EventBody } from "../core/journal/event.ts";
import { isWhole } from "../core/journal/event-schema.ts";
import { believableUsage, type Spending } from "../core/journal/usage.ts";
import { looksLikeJsonEvent } from "../core/text/json-event-text.ts";
import { singleLine } from "../core/text/plain-text.ts";
import type { AgentEvent, CommandRequest, Driver, Usage } from "../driver.ts";
import { decoderKit } from "../driver-host/decoder-kit.ts";
import { parseJsonLine } from "../driver-host/json-line.ts";
import { lenientDecoder } from "../driver-host/lenient-decoder.ts";
import { textDecoder } from "../driver-host/text-decoder.ts";
import type { ProcessResult } from "../effects/ports.ts";

export type ListenerOptions = {
  driver: Driver;
  request: CommandRequest;
  /** Usage of the earlier calls in the resumed session. */
  used: Spending;
  /** The call's number, for the journal. */
  call: number;
  /** What usage without a cost probably cost, in USD; null if that is unknown. */
  estimate(usage: Usage): number | null;
  /** Receives the text block that the agent is writing right now. */
  onPartial(text: string): void;
};

/** The agent's output so far. */
export type ListenerState = {
  readonly output: CollectedOutput;
  /** Null if the agent named none and ralph could not choose one. */
  readonly sessionId: string | null;
  /** A notice of a limit stated its reset time. */
  readonly limitHasTime: boolean;
  /** Events that the driver does not know, and their names. */
  readonly unknown: number;
  readonly unknownNames: ReadonlySet<string>;
};

/** Collects the output of one call and assesses it. */
export type Listener = {
  /** The journal events for further lines of output. */
  lines(lines: readonly string[]): EventBody[];
  /** The journal events that complete at the end of the output, with the last lines of stderr. */
  end(stderr: readonly string[]): EventBody[];
  /** The journal event for a session id found outside the events; none for null. */
  session(id: string | null): EventBody[];
  /** The journal event for usage found outside the events; none for null. */
  usage(usage: Usage | null): EventBody[];
  state(): ListenerState;
  /** Whether the call succeeded, and if not, why. */
  judge(result: ProcessResult): CallAssessment;
};

/** Lines that are no events, kept for what an agent says of its end in plain words: so many, and so much of each. */
const PLAIN_LINES = 20;
const PLAIN_CHARS = 1000;
/** Of a figure that is not believed. */
const DOUBTED_CHARS = 60;

/** Makes the listener of one call. The driver's own decoder reads JSON output; everything else is read as text. */
export function createListener(options: ListenerOptions): Listener {
  const { driver, request, used, call, estimate, onPartial } = options;
  const make = request.format === "json" ? driver.decoder : undefined;
  const ownDecoder = make && lenientDecoder(() => make(decoderKit, { resume: request.resume, used }));
  const decoder = ownDecoder ?? textDecoder();
  // Plain text names no session, but an id that ralph gave to the CLI is known.
  const chosenId = driver.choosesSessionId === true ? (request.resume ?? request.newSessionId) : null;
  const unknownNames = new Set<string>();
  const noted = new Set<string>();
  const plain: string[] = [];
  const plainErrors: string[] = [];
  let output = emptyCollectedOutput();
  let sessionId = ownDecoder === undefined ? chosenId : null;
  let limitHasTime = false;
  let unknown = 0;

  function take(events: readonly AgentEvent[], into: EventBody[]): EventBody[] {
    into.push(...chosenSession(events));
    for (const event of events) into.push(...bodiesOf(event));
    return into;
  }

  /** A chosen session id exists as soon as the CLI prints any event. Some CLIs print the id itself only at the end. */
  function chosenSession(events: readonly AgentEvent[]): EventBody[] {
    if (chosenId === null || sessionId !== null || request.resume !== null || events.length === 0) return [];
    sessionId = chosenId;
    return [{ type: "agent_session", call, session_id: chosenId }];
  }

  /** Figures that cannot be count as unknown, wherever the agent tells them. */
  function bodiesOf(told: AgentEvent): EventBody[] {
    if (told.type !== "usage" && told.type !== "finished") return believedBodiesOf(told);
    const { usage: event, doubted } = believableUsage(told);
    const figures = doubted.map((text) => singleLine(text).slice(0, DOUBTED_CHARS)).join(", ");
    const text = `${driver.displayName} told figures that cannot be, which count as unknown: ${figures}`;
    return [...(doubted.length === 0 ? [] : noteOnce(text, "warn")), ...believedBodiesOf(event)];
  }

  function believedBodiesOf(event: AgentEvent): EventBody[] {
    output = collectEvent(output, event);
    if (event.type === "partial") onPartial(event.text);
    if (event.type === "unknown") return noteOf(event.name, "unread" in event);
    if (event.type === "session_id" && !isSessionId(driver, event.session_id)) return strangeSession(event.session_id);
    if (event.type === "session_id" && !isNewSession(event.session_id)) return [];
    const body = toEventBody(event, call);
    // A user's own driver may say anything; what the journal could not be read back with costs the event, never the run.
    if (body !== null && !isWhole(body)) return noteOf(`${event.type} without all that belongs to it`);
    // Only of one that is kept: any other makes nobody wait.
    if (event.type === "rate_limited") limitHasTime ||= event.resets_at !== null;
    if (body?.type === "agent_usage") return [withEstimate(body)];
    return body === null ? [] : [body];
  }

  function withEstimate(usage: Extract<EventBody, { type: "agent_usage" }>): EventBody {
    const estimated_usd = estimate(usage);
    return estimated_usd === null ? usage : { ...usage, estimated_usd };
  }

  /** Agents repeat their id on every line. Only a change is recorded. */
  function isNewSession(id: string): boolean {
    if (sessionId === id) return false;
    sessionId = id;
    return true;
  }

  function strangeSession(id: string): EventBody[] {
    return id === "" ? [] : noteOnce(`${driver.displayName} named a session that it cannot resume: ${singleLine(id)}`);
  }

  /** @param isFault whether the driver failed, which its user must see */
  function noteOf(name: string, isFault = false): EventBody[] {
    unknown += 1;
    unknownNames.add(name);
    const what = isFault ? name : `an event that this ralph does not know: ${name}`;
    return noteOnce(`${driver.displayName} printed ${what}`, isFault ? "warn" : "info");
  }

  function noteOnce(text: string, level: "info" | "warn" = "info"): EventBody[] {
    if (noted.has(text)) return [];
    noted.add(text);
    return [{ type: "note", level, text }];
  }

  function keepPlain(line: string): void {
    plain.push(line);
    if (plain.length > PLAIN_LINES) plain.shift();
  }

  /** Without events, what the agent printed is its answer or stands in the place of one. */
  function wordsOfEnd(): Pick<CallEvidence, "hasFinalEvent" | "plainLines" | "statement"> {
    const isAnswer = ownDecoder === undefined || ownDecoder.isPlainText();
    const hasFinalEvent = !isAnswer && (driver.hasFinalEvent !== false || output.finished !== null);
    const said = isAnswer ? errorLinesOfAnswer(plain, finalText(output)) : plain;
    return {
      hasFinalEvent,
      plainLines: [...said, ...plainErrors].slice(-PLAIN_LINES),
      statement: hasFinalEvent ? null : statementInstead(finalText(output), plainErrors),
    };
  }

  return {
    lines: (lines) => {
      const bodies: EventBody[] = [];
      for (const line of lines) {
        const events = decoder.line(line);
        if (events.length === 0 && isPlain(line)) keepPlain(line.slice(0, PLAIN_CHARS));
        take(events, bodies);
      }
      return bodies;
    },
    end: (stderr) => {
      for (const line of stderr) if (parseJsonLine(line) === null) plainErrors.push(line);
      return take(decoder.end(stderr), []);
    },
    session: (id) => (id === null ? [] : take([{ type: "session_id", session_id: id }], [])),
    usage: (usage) => (usage === null ? [] : take([{ type: "usage", ...usage }], [])),
    state: () => ({ output, sessionId, limitHasTime, unknown, unknownNames }),
    judge: (result) =>
      assessCall({
        outcome: result.outcome,
        exit_code: result.exitCode,
        signal: result.signal,
        spawn_error: result.spawnError,
        finished: output.finished,
        error: output.error,
        limited: output.limit !== null,
        complete: output.complete !== null,
        ...wordsOfEnd(),
        resumed: request.resume !== null,
      }),
  };
}

function isPlain(line: string): boolean {
  return line.trim() !== "" && !looksLikeJsonEvent(line);
}
