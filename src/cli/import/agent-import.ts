import { join } from "node:path";
import process from "node:process";
import { finalText } from "../../core/agent-output.ts";
import type { EventBody, StopBy } from "../../core/event.ts";
import type { Settings } from "../../core/settings.ts";
import type { State } from "../../core/state.ts";
import { STOPS, type StopReason } from "../../core/stop.ts";
import type { CommandRequest, Host, Usage } from "../../driver.ts";
import { decoderKit } from "../../drivers/decode.ts";
import { textDecoder } from "../../drivers/text-decoder.ts";
import { systemClock } from "../../effects/clock.ts";
import { openJournal } from "../../effects/journal.ts";
import { listRuns, nextRunName } from "../../effects/journal-read.ts";
import { projectPaths } from "../../effects/project-files.ts";
import { createProjections } from "../../effects/projections.ts";
import { type CallOutcome, callAgent } from "../../run/agent-call.ts";
import { recordBreakdown } from "../../run/broken.ts";
import type { LoopDeps } from "../../run/deps.ts";
import { createRecorder, type Reader } from "../../run/recorder.ts";
import { startState } from "../../run/recover.ts";
import { createStops } from "../../run/stops.ts";
import { type AgentAnswer, readAnswer } from "../../setup/import/agent-answer.ts";
import { importPrompt, repairPrompt } from "../../setup/import/agent-prompt.ts";
import type { SourceDocument } from "../../setup/import/convert.ts";
import { VERSION } from "../../version.ts";
import type { AgentChoice } from "../agent/agent-choice.ts";
import { loopDeps } from "../run/loop-deps.ts";
import { withProjectLock } from "../run/project-lock.ts";
import { recoverProject } from "../run/recover-project.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { onSignals } from "../run/signals.ts";
import { sha256 } from "../setup/write-project.ts";
import { updateProjections } from "../show/projection-reader.ts";

export type AgentImport = {
  /** Canonical folder of the project. */
  project: string;
  settings: Settings;
  agent: AgentChoice;
  host: Host;
  document: SourceDocument;
  plan: string | null;
  reader: Reader;
  /** The command that does it again. */
  again: string;
  /** What the files still lack: names of the document, and files. */
  lacks(answer: AgentAnswer): { missing: string[]; lacks: string[] };
};

export type AgentImportResult = {
  run: string;
  answer: AgentAnswer;
  sessionId: string | null;
  /** Why the agent's last call came to nothing; null if it answered. */
  failure: { code: string; message: string } | null;
  /** The signal that ended it; null if none did. */
  stopped: StopBy | null;
  calls: number;
  /** Wall time of the calls in ms, and what they used. */
  ms: number;
  usage: Usage;
};

/**
 * Asks the agent once to turn a document into plan and specs, and once more for what is missing: a short run of its own in
 * the project's journal. The agent has tools that only read; nothing of its answer is written here.
 * @throws RalphError `environment` if another ralph works in the project
 */
export async function importByAgent(input: AgentImport): Promise<AgentImportResult> {
  const paths = projectPaths(input.project, null, null);
  const runsDir = join(paths.ralph, "runs");
  const run = nextRunName(listRuns(runsDir), systemClock.now());
  return withProjectLock(paths.ralph, run, () => importLocked(input, { paths, runsDir, run }));
}

type Place = { paths: ReturnType<typeof projectPaths>; runsDir: string; run: string };

async function importLocked(input: AgentImport, { paths, runsDir, run }: Place): Promise<AgentImportResult> {
  const { agent, settings, host } = input;
  const earlier = await recoverProject(paths, runsDir, agent.driver.name);
  const journal = openJournal(join(runsDir, run));
  const start = startState(earlier.state, settings, systemClock.now());
  const heard = listener();
  const projections = createProjections({ ralphDir: paths.ralph, onFailure: (text) => process.emitWarning(text) });
  const recorder = createRecorder({
    run,
    state: start,
    now: systemClock.now,
    write: journal.write,
    sync: journal.sync,
    readers: [
      { name: "the state files", onEvents: (steps) => updateProjections(projections, steps) },
      heard.reader,
      input.reader,
    ],
  });
  const stops = createStops((how, by) => recorder.append({ type: "stop_requested", how, by }));
  // There is no iteration to finish: the first Ctrl+C ends the call.
  let stopped: StopBy | null = null;
  const release = onSignals((signal) => {
    stopped ??= signal;
    stops.request(signal, "now");
  });
  const plan: RunPlan = {
    paths,
    settings,
    ...agent,
    host,
    version: VERSION,
    startedBy: "import",
    task: "",
    readers: [],
    onPartial: () => {},
    live: false,
    onStops: () => {},
  };
  try {
    recorder.append(runStarted(plan, start));
    recorder.appendAll(earlier.notes);
    const deps = loopDeps(plan, { recorder, project: untouched, stops, runDir: journal.dir });
    const conversation = await converse(deps, { ...input, heard: heard.text });
    const { usage, started_at } = recorder.state();
    const result = { run, ...conversation, stopped, usage, ms: systemClock.now() - Date.parse(started_at) };
    recorder.append(runFinished(input, result));
    return result;
  } catch (error) {
    recordBreakdown(recorder, error);
    throw error;
  } finally {
    release();
    journal.close();
  }
}

/** What marks the blocks of prompt and answer: no document holds its own hash, and the prompt takes it out if one did. */
export function importMark({ name, text }: SourceDocument): string {
  return sha256(`${name}\n${text}`).slice(0, 12);
}

type Conversation = Pick<AgentImportResult, "answer" | "sessionId" | "failure" | "calls">;

async function converse(deps: LoopDeps, input: AgentImport & { heard(call: number): string }): Promise<Conversation> {
  const mark = importMark(input.document);
  const { name } = input.document;
  const first = await call(deps, { number: 1, name, missing: [] }, importPrompt({ ...input, mark }), null);
  const sessionId = first.output.sessionId;
  const answer = readAnswer(allText(first, input.heard(1)), mark);
  if (!first.ok) return { answer, sessionId, failure: failureOf(first, deps), calls: 1 };
  const gaps = input.lacks(answer);
  const missing = [...gaps.lacks, ...gaps.missing];
  if (missing.length === 0 || deps.stop.kill.aborted) return { answer, sessionId, failure: null, calls: 1 };

  const resumes = sessionId !== null && deps.driver.supportsSessions !== false;
  const repair = repairPrompt({ mark, ...gaps });
  const prompt = resumes ? repair : `${importPrompt({ ...input, mark })}\n${repair}`;
  const second = await call(deps, { number: 2, name, missing }, prompt, resumes ? sessionId : null);
  const more = readAnswer(allText(second, input.heard(2)), mark);
  return {
    answer: together(answer, more),
    sessionId: second.output.sessionId ?? sessionId,
    failure: second.ok ? null : failureOf(second, deps),
    calls: 2,
  };
}

/** Like a review it is no part of the work: its call and usage count, its session and limit are nobody's. */
async function call(
  deps: LoopDeps,
  { number, name, missing }: { number: number; name: string; missing: string[] },
  prompt: string,
  resume: string | null,
): Promise<CallOutcome> {
  const { driver, recorder, settings } = deps;
  const request: CommandRequest = {
    binary: deps.binary,
    prompt,
    context: null,
    resume,
    newSessionId: deps.newSessionId(),
    format: settings.CLAUDE_OUTPUT_FORMAT,
    partial: false,
    model: settings.CLAUDE_MODEL,
    effort: settings.CLAUDE_EFFORT,
    allowedTools: null,
    permissionMode: settings.CLAUDE_PERMISSION_MODE,
    readOnly: true,
    cwd: deps.host.cwd,
    isGitRepository: deps.workspace.isGitRepository,
  };
  recorder.append({ type: "import_started", call: number, document: name, missing });
  return callAgent(
    deps,
    { number: 0, call: number, purpose: number === 1 ? "import" : "repair", tree: null },
    { request, command: driver.buildCommand(request) },
    { kit: decoderKit, text: textDecoder },
  );
}

/** Keeps what the agent says: a long answer comes in several blocks, of which the final event may repeat only the last. */
function listener(): { reader: Reader; text(call: number): string } {
  const blocks: { call: number; text: string }[] = [];
  return {
    reader: {
      name: "the import",
      onEvents(steps) {
        for (const { event } of steps) if (event.type === "agent_text" && event.nested !== true) blocks.push(event);
      },
    },
    text: (call) => blocks.flatMap((block) => (block.call === call ? block.text : [])).join("\n"),
  };
}

function allText({ output }: CallOutcome, heard: string): string {
  const last = finalText(output);
  return heard.includes(last) ? heard : `${heard}\n${last}`;
}

function together(first: AgentAnswer, second: AgentAnswer): AgentAnswer {
  const files = new Map([...first.files, ...second.files]);
  const [plan, more] = [first.files.get("@fix_plan.md"), second.files.get("@fix_plan.md")];
  if (plan !== undefined && more !== undefined) files.set("@fix_plan.md", `${plan}\n${more}`);
  const unfinished = [...first.unfinished, ...second.unfinished].filter((name) => !files.has(name));
  return { files, refused: [...first.refused, ...second.refused], unfinished: [...new Set(unfinished)] };
}

/** The agent's own code and first line, without the full stop, since more is said after it. */
function failureOf({ error, outcome }: CallOutcome, { settings }: LoopDeps): { code: string; message: string } {
  const outcomes: Readonly<Record<string, string>> = {
    timed_out: `it was not done after ${settings.CLAUDE_TIMEOUT_MINUTES} min; --timeout gives it more`,
    idle: "it said nothing for too long",
    stopped: "it was stopped",
  };
  // Claude Code used to add a limit's reset as a bare number.
  const said = (error?.message.trim().split("\n")[0] ?? "").replace(/\|\d{9,}$/, "");
  const message = outcomes[outcome] ?? (said === "" ? outcome.replaceAll("_", " ") : said.replace(/[.\s]+$/, ""));
  return { code: outcomes[outcome] === undefined ? (error?.class ?? outcome) : outcome, message };
}

/** What the agent may read it may not change, so there is nothing to watch. */
const untouched: LoopDeps["project"] = {
  prompt: () => "",
  plan: () => null,
  reviewPrompt: () => null,
  watch: () => {},
  mend: () => [],
  restoreLost: () => [],
  isGone: () => false,
};

function runStarted({ settings, driver, paths }: RunPlan, state: State): EventBody {
  return {
    type: "run_started",
    version: VERSION,
    driver: driver.name,
    settings: { ...settings },
    state,
    pid: process.pid,
    started_by: "import",
    project: paths.project,
  };
}

/** How a run is said to have ended that a signal ended. */
export const SIGNALLED = {
  SIGINT: "interrupted",
  SIGTERM: "terminated",
  SIGHUP: "hung_up",
  user: "interrupted",
} as const;

/** What a call that came to nothing is for the caller: one that a person must help, or wait for, is told apart (product.md "Exit codes"). */
export function failedAs(code: string): "authentication" | "usage_limit" | "internal_error" {
  if (code === "auth") return "authentication";
  return code === "limit" ? "usage_limit" : "internal_error";
}

function runFinished({ document, again }: AgentImport, result: Omit<AgentImportResult, "run">): EventBody {
  const { failure, stopped, calls, usage } = result;
  const reason: StopReason =
    stopped !== null ? SIGNALLED[stopped] : failure === null ? "import_complete" : failedAs(failure.code);
  return {
    type: "run_finished",
    stop_reason: reason,
    exit_code: STOPS[reason].exit,
    sentence:
      stopped !== null
        ? `The import of ${document.name} was interrupted. Again: ${again}`
        : failure === null
          ? `${document.name} became plan and specs.`
          : `The agent failed (${failure.code}): ${failure.message}. Again: ${again}`,
    iterations: 0,
    calls,
    usage,
    cost_usd: usage.cost_usd,
  };
}
