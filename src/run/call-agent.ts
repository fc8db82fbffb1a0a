import { type CollectedOutput, finalText } from "../core/answer/collected-output.ts";
import { humanizeResetTime, limitFromError } from "../core/answer/error-patterns.ts";
import type { CallAssessment } from "../core/decide/call-assessment.ts";
import { sessionUsage } from "../core/decide/session.ts";
import { writeTimeoutMinutes } from "../core/decide/write-timeout.ts";
import { GRACE_MS, MINUTE_MS } from "../core/durations.ts";
import type { AgentError, AgentOutcome, CallPurpose, EventBody } from "../core/journal/event.ts";
import { redactPrompt } from "../core/journal/redact-argv.ts";
import type { ProcessOptions, ProcessResult } from "../effects/ports.ts";
import type { ComposedCall } from "./compose-call.ts";
import type { LoopDeps } from "./deps.ts";
import { watchForChanges } from "./life.ts";
import { type CallDecoders, createListener, type ListenerState } from "./listener.ts";
import { mendProject } from "./protect.ts";
import { hookedSession } from "./session-chain.ts";

export type CallResult = CallAssessment & { outcome: AgentOutcome; noWrites: boolean; output: CollectedOutput };

export type CallId = {
  number: number;
  call: number;
  purpose: CallPurpose;
  /** Id of the snapshot at its start; null: what it writes is no sign of life. */
  tree: string | null;
};

/**
 * Runs the agent once and records all of it: `agent_started`, what its output said, `agent_finished`.
 * What it changed of ralph's own files is put back and noted before anything else looks at the project.
 * @param id iteration and call number, for the files and the journal
 */
export async function callAgent(
  deps: LoopDeps,
  id: CallId,
  { request, command }: ComposedCall,
  decoders: CallDecoders,
): Promise<CallResult> {
  const { recorder, settings, driver, onPartial, marker } = deps;
  const { call, purpose } = id;
  const used = sessionUsage(recorder.state().session);
  const listener = createListener({ driver, request, decoders, used, call, onPartial });
  const files = deps.callFiles(id.number, call);
  deps.project.watch();
  const result = await deps.process.run(command, {
    cwd: request.cwd,
    env: deps.env,
    stdoutFile: files.stdout,
    stderrFile: files.stderr,
    timeoutMs: settings.CLAUDE_TIMEOUT_MINUTES * MINUTE_MS,
    idleMs: settings.IDLE_TIMEOUT_MINUTES * MINUTE_MS,
    ...activityProbes(deps, id.tree),
    graceMs: GRACE_MS,
    signal: deps.stop.kill,
    marker,
    onStart: ({ pid, group, startTime }) => {
      const argv = redactPrompt(command, request.prompt);
      recorder.append({ type: "agent_started", call, purpose, pid, group, start_time: startTime, marker, argv });
      const session = listener.state().sessionId;
      if (session !== null) recorder.append({ type: "agent_session", call, session_id: session });
    },
    onLines: (lines) => recorder.appendAll(listener.lines(lines)),
    isFinished: () => listener.state().output.finished !== null,
  });
  mendProject(deps);
  const rest = listener.end(result.stderrTail);
  if (result.outcome !== "spawn_failed")
    rest.push(...listener.session(await hookedSession(deps, files.stdout, listener.state().sessionId)));
  const judgement = listener.judge(result);
  recorder.appendAll([...rest, ...callEndEvents(deps, { call, heard: listener.state(), result, judgement })]);
  return { ...judgement, outcome: result.outcome, noWrites: result.noWrites, output: listener.state().output };
}

/** Work that shows in no output: what is written, as it is asked by the idle and the write clock, each for itself. */
function activityProbes(
  deps: LoopDeps,
  tree: string | null,
): Pick<ProcessOptions, "isAlive" | "writeMs" | "hasWritten"> {
  const { IDLE_TIMEOUT_MINUTES } = deps.settings;
  const writeMs = writeTimeoutMinutes(deps.settings) * MINUTE_MS;
  if (tree === null) return {};
  return {
    ...(IDLE_TIMEOUT_MINUTES === 0 ? {} : { isAlive: watchForChanges(deps, tree) }),
    ...(writeMs === 0 ? {} : { writeMs, hasWritten: watchForChanges(deps, tree) }),
  };
}

type CallRecord = { call: number; heard: ListenerState; result: ProcessResult; judgement: CallAssessment };

/** What the journal is to hold of a call's end. */
function callEndEvents(deps: LoopDeps, { call, heard, result, judgement }: CallRecord): EventBody[] {
  const bodies: EventBody[] = [];
  if (judgement.repeat === "limit" && !heard.limitHasTime) bodies.push(limitEvent(judgement, call, deps));
  bodies.push({
    type: "agent_finished",
    call,
    outcome: result.outcome === "ok" && !judgement.ok ? "failed" : result.outcome,
    exit_code: result.exitCode,
    signal: result.signal,
    ms: result.ms,
    ok: judgement.ok,
    final_text: finalText(heard.output),
    error: humanizeLimitError(judgement.error, deps),
    unknown_events: heard.unknown,
    repeat: judgement.repeat,
    ...(result.noWrites ? { no_writes: true } : {}),
  });
  if (result.leftovers.length > 0) {
    const text = `Ended ${result.leftovers.length} process(es) that the agent left behind.`;
    bodies.push({ type: "note", level: "info", text });
  }
  return bodies;
}

/** A limit's time is told as a time; every other error in the agent's own words. */
function humanizeLimitError(error: AgentError | null, deps: LoopDeps): AgentError | null {
  if (error?.class !== "limit") return error;
  return { ...error, message: humanizeResetTime(error.message, deps.clock.now(), deps.zone) };
}

/** A limit whose structure states no time: the wording of the final error may. */
function limitEvent(judgement: CallAssessment, call: number, { clock, zone }: LoopDeps): EventBody {
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
