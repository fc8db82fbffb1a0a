import { type CollectedOutput, collectEvent, emptyCollectedOutput } from "../core/answer/collected-output.ts";
import { classifyError } from "../core/answer/error-patterns.ts";
import { assessCall, type CallAssessment } from "../core/decide/call-assessment.ts";
import { isSessionId } from "../core/decide/session-id.ts";
import { toEventBody } from "../core/journal/agent-event-body.ts";
import type { EventBody } from "../core/journal/event.ts";
import { looksLikeJsonEvent } from "../core/text/json-event-text.ts";
import type { AgentEvent, CommandRequest, Decoder, DecoderKit, Driver, Usage } from "../driver.ts";
import type { ProcessResult } from "../effects/ports.ts";

/** What reads an agent's output where its driver does not. */
export type CallDecoders = { kit: DecoderKit; text: () => Decoder };

export type ListenerOptions = {
  driver: Driver;
  request: CommandRequest;
  decoders: CallDecoders;
  /** What the earlier calls used in the session that the call goes on with. */
  used: Usage;
  /** Its number, for the journal. */
  call: number;
  /** The block that the agent is writing right now. */
  onPartial(text: string): void;
};

/** What an agent has said so far. */
export type ListenerState = {
  readonly output: CollectedOutput;
  /** Null where none was named and none could be chosen. */
  readonly sessionId: string | null;
  /** A limit was told with the time of its end. */
  readonly limitHasTime: boolean;
  /** Events that the driver does not know, and the name of each. */
  readonly unknown: number;
  readonly unknownNames: ReadonlySet<string>;
};

/** Hears one call of an agent, and judges it. */
export type Listener = {
  /** What the journal is to hold of some more lines of its output. */
  lines(lines: readonly string[]): EventBody[];
  /** The same of what was still being put together when the output ended, with the last lines of stderr. */
  end(stderr: readonly string[]): EventBody[];
  /** The same of a session that was found in another way than by an event; null for none. */
  session(id: string | null): EventBody[];
  state(): ListenerState;
  /** Whether the call succeeded, and if not, why. */
  judge(result: ProcessResult): CallAssessment;
};

const PLAIN_LINES = 20;
const PLAIN_CHARS = 1000;

/** Makes the listener of one call. The driver's own decoder reads what it prints as JSON, everything else is text. */
export function createListener({ driver, request, decoders, used, call, onPartial }: ListenerOptions): Listener {
  const own = request.format === "json" ? driver.decoder?.(decoders.kit, { resume: request.resume, used }) : undefined;
  const decoder = own ?? decoders.text();
  // Plain text names no session, but where the CLI was given one it is known.
  const given = driver.choosesSessionId === true ? (request.resume ?? request.newSessionId) : null;
  const unknownNames = new Set<string>();
  const plain: string[] = [];
  let output = emptyCollectedOutput();
  let sessionId = own === undefined ? given : null;
  let limitHasTime = false;
  let unknown = 0;

  function take(events: readonly AgentEvent[]): EventBody[] {
    return [...namedByUs(events), ...events.flatMap(bodiesOf)];
  }

  /** A new session exists under the id that was chosen for it as soon as the CLI prints an event, even if the CLI names it last. */
  function namedByUs(events: readonly AgentEvent[]): EventBody[] {
    if (given === null || sessionId !== null || request.resume !== null || events.length === 0) return [];
    sessionId = given;
    return [{ type: "agent_session", call, session_id: given }];
  }

  function bodiesOf(event: AgentEvent): EventBody[] {
    output = collectEvent(output, event);
    if (event.type === "partial") onPartial(event.text);
    if (event.type === "rate_limited") limitHasTime ||= event.resets_at !== null;
    if (event.type === "unknown") return noteOf(event.name);
    if (event.type === "session_id" && !isNewSession(event.session_id)) return [];
    const body = toEventBody(event, call);
    return body === null ? [] : [body];
  }

  /** Agents repeat their id on every line; only a change is a fact, and only one that can be a session of this CLI. */
  function isNewSession(id: string): boolean {
    if (sessionId === id || !isSessionId(driver, id)) return false;
    sessionId = id;
    return true;
  }

  function noteOf(name: string): EventBody[] {
    unknown += 1;
    if (unknownNames.has(name)) return [];
    unknownNames.add(name);
    const text = `${driver.displayName} printed an event that this ralph does not know: ${name}`;
    return [{ type: "note", level: "info", text }];
  }

  function keepPlain(line: string): void {
    if (line.trim() === "" || looksLikeJsonEvent(line)) return;
    plain.push(line.slice(0, PLAIN_CHARS));
    if (plain.length > PLAIN_LINES) plain.shift();
  }

  return {
    lines: (lines) =>
      lines.flatMap((line) => {
        const events = decoder.line(line);
        if (events.length === 0) keepPlain(line);
        return take(events);
      }),
    end: (stderr) => take(decoder.end(stderr)),
    session: (id) => (id === null ? [] : take([{ type: "session_id", session_id: id }])),
    state: () => ({ output, sessionId, limitHasTime, unknown, unknownNames }),
    judge: (result) =>
      assessCall(
        {
          outcome: result.outcome,
          exit_code: result.exitCode,
          signal: result.signal,
          spawn_error: result.spawnError,
          finished: output.finished,
          hasFinalEvent: own !== undefined && (driver.hasFinalEvent !== false || output.finished !== null),
          error: output.error,
          limited: output.limit !== null,
          plainLines: [...plain, ...result.stderrTail.filter((line) => decoders.kit.json(line) === null)],
          resumed: request.resume !== null,
        },
        classifyError,
      ),
  };
}
