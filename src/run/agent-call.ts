import { journalForm } from "../core/agent-journal.ts";
import { type AgentOutput, collect, emptyOutput, finalText } from "../core/agent-output.ts";
import { type CallJudgement, judgeCall } from "../core/call.ts";
import type { AgentError, AgentOutcome, EventBody } from "../core/event.ts";
import { classifyError, limitFromError } from "../core/limit-wording.ts";
import type { AgentEvent, Decoder, DecoderKit } from "../driver.ts";
import type { ProcessResult } from "../effects/ports.ts";
import type { ComposedCall } from "./compose.ts";
import type { LoopDeps } from "./deps.ts";

const GRACE_MS = 5000;
const PLAIN_LINES = 20;
const MINUTE_MS = 60_000;

export type CallOutcome = CallJudgement & { outcome: AgentOutcome; output: AgentOutput };

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
 * @param id iteration and call number, for the files and the journal
 */
export async function callAgent(
  deps: LoopDeps,
  id: { number: number; call: number },
  composed: ComposedCall,
  decoders: CallDecoders,
): Promise<CallOutcome> {
  const { recorder, settings, driver } = deps;
  const structured = composed.request.format === "json" && driver.decoder !== undefined;
  const decoder = structured && driver.decoder !== undefined ? driver.decoder(decoders.kit) : decoders.text();
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
    for (const event of events) takeEvent(deps, seen, event, id.call, bodies);
  };
  const result = await deps.process.run(composed.command, {
    cwd: composed.request.cwd,
    env: { ...deps.env, ...composed.command.env, RALPH_RUN: deps.marker },
    stdoutFile: files.stdout,
    stderrFile: files.stderr,
    timeoutMs: settings.CLAUDE_TIMEOUT_MINUTES * MINUTE_MS,
    idleMs: settings.IDLE_TIMEOUT_MINUTES * MINUTE_MS,
    graceMs: GRACE_MS,
    signal: deps.stop.kill,
    marker: deps.marker,
    onStart: ({ pid, group, startTime }) => {
      recorder.append({
        type: "agent_started",
        call: id.call,
        purpose: "main",
        pid,
        group,
        start_time: startTime,
        marker: deps.marker,
        argv: composed.command.argv,
      });
    },
    onLines: (lines) => {
      const bodies: EventBody[] = [];
      for (const line of lines) {
        const events = decoder.line(line);
        if (events.length === 0 && line.trim() !== "") keepPlain(seen, line);
        take(events, bodies);
      }
      recorder.appendAll(bodies);
    },
    isFinished: () => seen.finished !== null,
  });
  const rest: EventBody[] = [];
  take(decoder.end(), rest);
  recorder.appendAll(rest);

  const judgement = judgeCall(
    {
      outcome: result.outcome,
      exit_code: result.exitCode,
      spawn_error: result.spawnError,
      finished: seen.finished,
      hasFinalEvent: structured,
      error: seen.error,
      limited: seen.limited,
      plainLines: [...seen.plain, ...result.stderrTail],
      resumed: composed.request.resume !== null,
    },
    classifyError,
  );
  record(deps, id.call, seen, result, judgement);
  return { ...judgement, outcome: result.outcome, output: seen.output };
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
    error: judgement.error,
    unknown_events: seen.unknown,
    repeat: judgement.repeat,
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
