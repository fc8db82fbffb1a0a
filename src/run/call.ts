import { type CollectedOutput, finalText } from "../core/answer/collected-output.ts";
import { mainErrorLine } from "../core/answer/error-lines.ts";
import { humanizeResetTime, limitOfError } from "../core/answer/error-patterns.ts";
import type { CallAssessment } from "../core/decide/call-assessment.ts";
import { sessionUsage } from "../core/decide/session.ts";
import { writeTimeoutMinutes } from "../core/decide/write-timeout.ts";
import { GRACE_MS, MINUTE_MS } from "../core/durations.ts";
import type { AgentError, AgentOutcome, CallPurpose, EventBody } from "../core/journal/event.ts";
import { redactPrompt } from "../core/journal/redact-argv.ts";
import { warning } from "../core/journal/warning.ts";
import { estimateUsd } from "../core/money/estimate.ts";
import { countedUsd } from "../core/money/spending.ts";
import { timeLeft } from "../core/stop/bounds.ts";
import { byteSize } from "../core/text/byte-size.ts";
import { count } from "../core/text/count.ts";
import type { CommandRequest } from "../driver.ts";
import type { ProcessOptions, ProcessResult, SandboxedCall } from "../effects/ports.ts";
import type { Agent } from "./agent.ts";
import { createChangeProbe } from "./change-probe.ts";
import { buildCommand } from "./compose-request.ts";
import { recordSpending } from "./day-spending.ts";
import { createListener, type ListenerState } from "./listener.ts";
import { recoverSessionId } from "./recover-session-id.ts";
import { repairProject } from "./repair-project.ts";
import type { Run } from "./run.ts";
import { usageInFile, usageStart } from "./usage-file.ts";

export type CallInput = {
  purpose: CallPurpose;
  /** Number of the iteration that it belongs to or follows; 0 outside one. */
  iteration: number;
  /** Number of the call in its iteration or import, from 1. */
  call: number;
  request: CommandRequest;
  /** Id of the snapshot at its start; without it writes are no sign of life. */
  tree?: string | null;
};

export type CallResult = CallAssessment & {
  outcome: AgentOutcome;
  noWrites: boolean;
  output: CollectedOutput;
  sessionId: string | null;
  /** Names of events that the driver does not know. */
  unknownEvents: readonly string[];
  ms: number;
};

/**
 * Runs the agent once and records it: `agent_started`, the events of its output, `agent_finished`. Every call of an
 * agent goes through here. Changes to ralph's own files are repaired and noted before the project is read again.
 */
export async function callAgent(run: Run, agent: Agent, input: CallInput): Promise<CallResult> {
  const { world, settings, marker, masks } = run;
  const { purpose, call, request } = input;
  const command = buildCommand(agent, request);
  const spentBefore = countedUsd(run.state().usage, settings);
  const listener = createListener({
    ...agent,
    onPartial: (text) => agent.onPartial(() => masks.text(text)),
    request,
    call,
    used: sessionUsage(run.state().session),
    estimate: (usage) => estimateUsd(usage, request.model, world.prices),
  });
  const files = run.files.callFiles(input.iteration, call);
  const inside = await world.sandbox?.enter({
    run: run.state().run,
    driver: agent.driver,
    command,
    cwd: request.cwd,
    env: world.env,
    fixed: run.gateWatch.fixed().map((path) => `${world.project.dir}/${path}`),
    keep: run.files.file("kept"),
    signal: run.stops.killSignal,
  });
  const usageFrom = usageStart(world, agent.driver, request.resume);
  run.guard.watch();
  const result = await world.process.run(inside?.command ?? command, {
    cwd: request.cwd,
    env: inside?.env ?? world.env,
    stdoutFile: files.stdout,
    stderrFile: files.stderr,
    mask: masks.bytes,
    timeoutMs: Math.min(settings.CLAUDE_TIMEOUT_MINUTES * MINUTE_MS, timeLeftMs(run)),
    idleMs: settings.IDLE_TIMEOUT_MINUTES * MINUTE_MS,
    ...activityProbes(run, input.tree ?? null),
    graceMs: GRACE_MS,
    signal: run.stops.killSignal,
    marker,
    onStart: ({ pid, group, startTime }) => {
      const argv = redactPrompt(command, request.prompt);
      const from = usageFrom === null ? {} : { usage_from: usageFrom };
      run.append({ type: "agent_started", call, purpose, pid, group, start_time: startTime, marker, argv, ...from });
      const session = listener.state().sessionId;
      if (session !== null) run.append({ type: "agent_session", call, session_id: session });
      run.later.now();
    },
    onLines: (lines) => run.appendAll(listener.lines(lines)),
    isFinished: () => listener.state().output.finished !== null,
    isOver: () => listener.state().output.complete === "over",
  });
  // Before anything reads the repository.
  await leave(run, inside);
  repairProject(run);
  const rest = listener.end(result.stderrTail);
  const ended = { outcome: result.outcome, stdoutFile: files.stdout, seen: listener.state().sessionId };
  rest.push(...listener.session(await recoverSessionId(agent, world, ended)));
  if (usageFrom !== null) {
    const { output, sessionId } = listener.state();
    const session = sessionId ?? request.resume;
    const from = session === request.resume ? usageFrom : 0;
    rest.push(...listener.usage(usageInFile(world, agent.driver, { session, from, told: output.usage })));
  }
  const assessment = listener.judge(result);
  const { output, sessionId, unknownNames } = listener.state();
  run.appendAll([...rest, ...callEndEvents(run, { call, listened: listener.state(), result, assessment })]);
  recordSpending(run, countedUsd(run.state().usage, settings) - spentBefore);
  const { outcome, noWrites, ms } = result;
  return { ...assessment, outcome, noWrites, output, sessionId, unknownEvents: [...unknownNames], ms };
}

/** Why a call that failed came to nothing, in words. */
export function whyFailed({ outcome, error }: CallResult): string {
  return error === null ? outcome.replace("_", " ") : mainErrorLine(error.message);
}

/** What MAX_TIME leaves for a call, which it ends as the timeout does; never 0, which would be no limit. */
function timeLeftMs({ present, settings }: Run): number {
  const { state, now } = present();
  return Math.max(1, Math.ceil(timeLeft(state, settings, now)));
}

/** Ends what is left in the sandbox, and tells what the agent put where git would obey it. */
async function leave({ append }: Run, inside: SandboxedCall | undefined): Promise<void> {
  const found = (await inside?.leave()) ?? [];
  if (found.length > 0) append(warning(`The agent made what must not be there: ${found.join(", ")}`));
}

/**
 * Probes for work that the output does not show. The idle and the write clock have a probe each, since a probe
 * remembers its last result.
 */
function activityProbes(run: Run, tree: string | null): Pick<ProcessOptions, "isAlive" | "writeMs" | "hasWritten"> {
  const writeMs = writeTimeoutMinutes(run.settings) * MINUTE_MS;
  if (tree === null) return {};
  return {
    ...(run.settings.IDLE_TIMEOUT_MINUTES === 0 ? {} : { isAlive: createChangeProbe(run, tree) }),
    ...(writeMs === 0 ? {} : { writeMs, hasWritten: createChangeProbe(run, tree) }),
  };
}

type CallRecord = { call: number; listened: ListenerState; result: ProcessResult; assessment: CallAssessment };

/** The events that record the end of a call. */
function callEndEvents({ world }: Run, { call, listened, result, assessment }: CallRecord): EventBody[] {
  const { ok, error, repeat } = assessment;
  const finished: EventBody = {
    type: "agent_finished",
    call,
    outcome: result.outcome === "ok" && !ok ? "failed" : result.outcome,
    exit_code: result.exitCode,
    signal: result.signal,
    ms: result.ms,
    ok,
    final_text: finalText(listened.output),
    error: humanizeLimitError(error, world),
    unknown_events: listened.unknown,
    repeat,
    ...(result.noWrites ? { no_writes: true } : {}),
  };
  return [
    ...(error?.class === "limit" && !listened.limitHasTime ? [limitEvent(error.message, call, world)] : []),
    finished,
    ...(result.leftovers.length === 0 ? [] : [leftoversNote(result.leftovers.length)]),
    ...(result.keptBytes === undefined ? [] : [cutNote(result.keptBytes)]),
  ];
}

function leftoversNote(left: number): EventBody {
  const processes = count(left, "process", "processes");
  return { type: "note", level: "info", text: `Ended ${processes} that the agent left behind.` };
}

function cutNote(kept: number): EventBody {
  return warning(`The agent printed more than is kept of one output: its file ends after ${byteSize(kept)}.`);
}

/** Rewrites a limit's reset time for people; other errors keep the agent's own words. */
function humanizeLimitError(error: AgentError | null, world: Run["world"]): AgentError | null {
  if (error?.class !== "limit") return error;
  return { ...error, message: humanizeResetTime(error.message, world.clock.now(), world.zone) };
}

/** For a limit without a structured reset time: the wording of the final error may state one. */
function limitEvent(message: string, call: number, { clock, zone }: Run["world"]): EventBody {
  return { type: "agent_limit", call, ...limitOfError(message, clock.now(), zone) };
}
