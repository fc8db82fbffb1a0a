import { join } from "node:path";
import process from "node:process";
import type { EventBody, StopBy } from "../../core/journal/event.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { STOP_REASONS, type StopReason } from "../../core/stop/stop-reasons.ts";
import type { Host, Usage } from "../../driver.ts";
import { systemClock } from "../../effects/clock.ts";
import { openJournal } from "../../effects/journal/journal.ts";
import { type ProjectPaths, projectPaths } from "../../effects/project/project-paths.ts";
import { createProjections } from "../../effects/state-files/projections.ts";
import { recordBreakdown } from "../../run/broken.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import { initialRunState } from "../../run/recover.ts";
import { createStopController } from "../../run/stop-controller.ts";
import type { AgentAnswer } from "../../setup/import/agent-answer.ts";
import type { SourceDocument } from "../../setup/import/formats/convert-document.ts";
import { VERSION } from "../../version.ts";
import type { AgentChoice } from "../agent/agent-choice.ts";
import { asNextRun, type RunPlace, recordIn, runStarted } from "../run/begin-run.ts";
import { loopDeps } from "../run/loop-deps.ts";
import { recoverProject } from "../run/recover-project.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { onSignals } from "../run/signals.ts";
import { type Conversation, converse } from "./converse.ts";
import { heldStill } from "./held-still.ts";

export type AgentImport = {
  /** Canonical folder of the project. */
  project: string;
  settings: Settings;
  agent: AgentChoice;
  host: Host;
  document: SourceDocument;
  /** The file that it was read from, absolute; null where it is none. */
  source: string | null;
  plan: string | null;
  reader: EventSubscriber;
  /** The command that does it again. */
  again: string;
  /** What the files still lack: names of the document, and files. */
  lacks(answer: AgentAnswer): { missing: string[]; lacks: string[] };
};

export type AgentImportResult = Conversation & {
  run: string;
  /** The signal that ended it; null if none did. */
  stopped: StopBy | null;
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
  return asNextRun(paths.ralph, (place) => importLocked(input, paths, place));
}

async function importLocked(
  input: AgentImport,
  paths: ProjectPaths,
  { runsDir, run }: RunPlace,
): Promise<AgentImportResult> {
  const { agent, settings, host } = input;
  const earlier = await recoverProject(paths, runsDir, agent.driver.name);
  const journal = openJournal(join(runsDir, run));
  const start = initialRunState(earlier.state, settings, systemClock.now());
  const heard = listener();
  const projections = createProjections({ ralphDir: paths.ralph, onFailure: (text) => process.emitWarning(text) });
  const readers = [heard.reader, input.reader];
  const recorder = recordIn({ run, state: start, journal, projections, readers });
  const stops = createStopController((how, by) => recorder.append({ type: "stop_requested", how, by }));
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
    const held = [input.source, paths.prompt, paths.plan, paths.agent, paths.settings];
    const project = heldStill(
      input.project,
      held.filter((path) => path !== null),
    );
    const deps = loopDeps(plan, { recorder, project, stops, runDir: journal.dir });
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

/** Keeps what the agent says: a long answer comes in several blocks, of which the final event may repeat only the last. */
function listener(): { reader: EventSubscriber; text(call: number): string } {
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
    exit_code: STOP_REASONS[reason].exit,
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
