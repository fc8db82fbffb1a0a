import { journalForm } from "../core/agent-journal.ts";
import { type AgentOutput, collect, emptyOutput, finalText } from "../core/agent-output.ts";
import { recordedArgv } from "../core/argv-record.ts";
import { type CallJudgement, judgeCall } from "../core/call.ts";
import type { AgentError, AgentOutcome, CallPurpose, EventBody } from "../core/event.ts";
import { classifyError, inWords, limitFromError } from "../core/limit-wording.ts";
import { sessionUsage } from "../core/session.ts";
import { beginsEvent } from "../core/torn-event.ts";
import { writeTimeoutMinutes } from "../core/write-timeout.ts";
import type { AgentEvent, CommandRequest, Decoder, DecoderKit, Driver } from "../driver.ts";
import type { ProcessOptions, ProcessResult } from "../effects/ports.ts";
import type { ComposedCall } from "./compose.ts";
import type { LoopDeps } from "./deps.ts";
import { watchForChanges } from "./life.ts";
import { mendProject } from "./protect.ts";
import { hookedSession } from "./session-chain.ts";

const GRACE_MS = 5000;
const PLAIN_LINES = 20;
const MINUTE_MS = 60_000;

export type CallOutcome = CallJudgement & { outcome: AgentOutcome; noWrites: boolean; output: AgentOutput };

export type CallId = {
  number: number;
  call: number;
  purpose: CallPurpose;
  /** Id of the snapshot at its start; null: what it writes is no sign of life. */
  tree: string | null;
};

/** What is gathered while one call's output streams by. */
type Gathered = {
  output: AgentOutput;
  finished: { ok: boolean } | null;
  error: AgentError | null;
  limited: boolean;
  limitHasTime: boolean;
  unknown: number;
  unknownNames: Set<string>;
  sessionId: string | null;
  plain: string[];
};

export type CallDecoders = { kit: DecoderKit; text: () => Decoder };

/**
 * Runs the agent once and records all of it: `agent_started`, what its output said, `agent_finished`.
 * What it changed of ralph's own files is put back and noted before anything else looks at the project.
 * @param id iteration and call number, for the files and the journal
 */
export async function callAgent(
  deps: LoopDeps,
  id: CallId,
  composed: ComposedCall,
  decoders: CallDecoders,
): Promise<CallOutcome> {
  const { recorder, settings, driver } = deps;
  const structured = composed.request.format === "json" && driver.decoder !== undefined;
  const decoder =
    structured && driver.decoder !== undefined
      ? driver.decoder(decoders.kit, { resume: composed.request.resume, used: sessionUsage(recorder.state().session) })
      : decoders.text();
  const seen: Gathered = {
    output: emptyOutput(),
    finished: null,
    error: null,
    limited: false,
    limitHasTime: false,
    unknown: 0,
    unknownNames: new Set(),
    sessionId: null,
    plain: [],
  };
  const files = deps.callFiles(id.number, id.call);

  const take = (events: AgentEvent[], bodies: EventBody[]) => {
    nameChosenSession(deps, seen, composed.request, events, id.call, bodies);
    for (const event of events) takeEvent(deps, seen, event, id.call, bodies);
  };
  deps.project.watch();
  const result = await deps.process.run(composed.command, {
    cwd: composed.request.cwd,
    env: { ...deps.env, ...composed.command.env, RALPH_RUN: deps.marker },
    stdoutFile: files.stdout,
    stderrFile: files.stderr,
    timeoutMs: settings.CLAUDE_TIMEOUT_MINUTES * MINUTE_MS,
    idleMs: settings.IDLE_TIMEOUT_MINUTES * MINUTE_MS,
    ...signsOfLife(deps, id.tree),
    graceMs: GRACE_MS,
    signal: deps.stop.kill,
    marker: deps.marker,
    onStart: ({ pid, group, startTime }) => {
      recorder.append({
        type: "agent_started",
        call: id.call,
        purpose: id.purpose,
        pid,
        group,
        start_time: startTime,
        marker: deps.marker,
        argv: recordedArgv(composed.command, composed.request.prompt),
      });
      const session = structured ? null : chosenSession(driver, composed.request);
      if (session !== null) recorder.append({ type: "agent_session", call: id.call, session_id: session });
    },
    onLines: (lines) => {
      const bodies: EventBody[] = [];
      for (const line of lines) {
        const events = decoder.line(line);
        if (events.length === 0 && line.trim() !== "" && !beginsEvent(line)) keepPlain(seen, line);
        take(events, bodies);
      }
      recorder.appendAll(bodies);
    },
    isFinished: () => seen.finished !== null,
  });
  mendProject(deps);
  const rest: EventBody[] = [];
  take(decoder.end(), rest);
  const session = result.outcome === "spawn_failed" ? null : await hookedSession(deps, files.stdout, seen.sessionId);
  if (session !== null) take([{ type: "session_id", session_id: session }], rest);
  recorder.appendAll(rest);

  const judgement = judgeCall(
    {
      outcome: result.outcome,
      exit_code: result.exitCode,
      spawn_error: result.spawnError,
      finished: seen.finished,
      hasFinalEvent: structured && (driver.hasFinalEvent !== false || seen.finished !== null),
      error: seen.error,
      limited: seen.limited,
      plainLines: [...seen.plain, ...result.stderrTail.filter((line) => decoders.kit.json(line) === null)],
      resumed: composed.request.resume !== null,
    },
    classifyError,
  );
  record(deps, id.call, seen, result, judgement);
  return { ...judgement, outcome: result.outcome, noWrites: result.noWrites, output: seen.output };
}

/** Work that shows in no output: what is written, as it is asked by the idle and the write clock, each for itself. */
function signsOfLife(deps: LoopDeps, tree: string | null): Pick<ProcessOptions, "isAlive" | "writeMs" | "hasWritten"> {
  const { IDLE_TIMEOUT_MINUTES } = deps.settings;
  const writeMs = writeTimeoutMinutes(deps.settings) * MINUTE_MS;
  if (tree === null) return {};
  return {
    ...(IDLE_TIMEOUT_MINUTES === 0 ? {} : { isAlive: watchForChanges(deps, tree) }),
    ...(writeMs === 0 ? {} : { writeMs, hasWritten: watchForChanges(deps, tree) }),
  };
}

function takeEvent(deps: LoopDeps, seen: Gathered, event: AgentEvent, call: number, bodies: EventBody[]): void {
  if (event.type === "partial") {
    deps.onPartial(event.text);
    return;
  }
  seen.output = collect(seen.output, event);
  if (event.type === "finished") seen.finished = { ok: event.ok };
  if (event.type === "error") seen.error = { class: event.class, message: event.message };
  if (event.type === "rate_limited") {
    seen.limited = true;
    seen.limitHasTime ||= event.resets_at !== null;
  }
  if (event.type === "unknown") {
    seen.unknown += 1;
    if (seen.unknownNames.has(event.name)) return;
    seen.unknownNames.add(event.name);
    bodies.push({
      type: "note",
      level: "info",
      text: `${deps.driver.displayName} printed an event that this ralph does not know: ${event.name}`,
    });
  }
  if (event.type === "session_id" && !isNewSession(deps, seen, event.session_id)) return;
  const body = journalForm(event, call);
  if (body !== null) bodies.push(body);
}

/** A new session exists under the id that was chosen for it as soon as the CLI prints an event, even if the CLI names it last. */
function nameChosenSession(
  deps: LoopDeps,
  seen: Gathered,
  request: CommandRequest,
  events: readonly AgentEvent[],
  call: number,
  bodies: EventBody[],
): void {
  const session = request.resume === null && events.length > 0 ? chosenSession(deps.driver, request) : null;
  if (session === null || seen.sessionId !== null) return;
  seen.sessionId = session;
  bodies.push({ type: "agent_session", call, session_id: session });
}

/** Plain text names no session, but where the CLI was given one it is known. */
function chosenSession(driver: Driver, request: CommandRequest): string | null {
  return driver.choosesSessionId === true ? (request.resume ?? request.newSessionId) : null;
}

/** Agents repeat their id on every line; only a change is a fact, and only one that can be a session of this CLI. */
function isNewSession(deps: LoopDeps, seen: Gathered, id: string): boolean {
  if (seen.sessionId === id || deps.driver.isSessionId?.(id) === false) return false;
  seen.sessionId = id;
  return true;
}

function keepPlain(seen: Gathered, line: string): void {
  seen.plain.push(line.slice(0, 1000));
  if (seen.plain.length > PLAIN_LINES) seen.plain.shift();
}

function record(deps: LoopDeps, call: number, seen: Gathered, result: ProcessResult, judgement: CallJudgement): void {
  const bodies: EventBody[] = [];
  if (judgement.repeat === "limit" && !seen.limitHasTime) bodies.push(limitBody(judgement, call, deps));
  bodies.push({
    type: "agent_finished",
    call,
    outcome: result.outcome === "ok" && !judgement.ok ? "failed" : result.outcome,
    exit_code: result.exitCode,
    signal: result.signal,
    ms: result.ms,
    ok: judgement.ok,
    final_text: finalText(seen.output),
    error: readable(judgement.error, deps),
    unknown_events: seen.unknown,
    repeat: judgement.repeat,
    ...(result.noWrites ? { no_writes: true } : {}),
  });
  if (result.leftovers.length > 0) {
    bodies.push({
      type: "note",
      level: "info",
      text: `Ended ${result.leftovers.length} process(es) that the agent left behind.`,
    });
  }
  deps.recorder.appendAll(bodies);
}

/** A limit's time is told as a time; every other error in the agent's own words. */
function readable(error: AgentError | null, deps: LoopDeps): AgentError | null {
  if (error?.class !== "limit") return error;
  return { ...error, message: inWords(error.message, deps.clock.now(), deps.zone) };
}

/** A limit whose structure states no time: the wording of the final error may. */
function limitBody(judgement: CallJudgement, call: number, { clock, zone }: LoopDeps): EventBody {
  const message = judgement.error?.message ?? "";
  const limit = limitFromError(message, clock.now(), zone);
  return {
    type: "agent_limit",
    call,
    kind: limit?.kind ?? "usage_limit",
    message: limit?.message ?? message,
    resets_at: limit?.resets_at ?? null,
  };
}
