import { finalText } from "../../core/answer/collected-output.ts";
import { limitOfError } from "../../core/answer/error-patterns.ts";
import { MINUTE_MS } from "../../core/durations.ts";
import type { StopBy } from "../../core/journal/event.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { StopReason } from "../../core/stop/stop-reasons.ts";
import type { Host, Usage } from "../../driver.ts";
import type { Sandbox } from "../../effects/ports.ts";
import { type ProjectPaths, projectPaths } from "../../effects/project/project-paths.ts";
import { readPrices } from "../../effects/user/price-file.ts";
import { createWorld } from "../../effects/world.ts";
import type { CallResult } from "../../run/call.ts";
import { importDocument } from "../../run/jobs/import-document.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import { type Run, withRun } from "../../run/run.ts";
import type { AgentAnswer } from "../../setup/import/agent-answer.ts";
import { sanitizeLine } from "../../setup/sanitize-text.ts";
import { VERSION } from "../../version.ts";
import { duration } from "../../view/text/figures.ts";
import type { AgentChoice } from "../agent/agent-choice.ts";
import { onSignals } from "../run/signals.ts";
import type { Steering } from "../show/run-view.ts";
import { type DialogueInput, importDialogue } from "./import-dialogue.ts";

export type AgentImport = DialogueInput & {
  /** Canonical folder of the project. */
  project: string;
  settings: Settings;
  agent: AgentChoice;
  host: Host;
  /** The absolute path of the document; null if it came from no file. */
  source: string | null;
  reader: EventSubscriber;
  /** Called when the run can be stopped. */
  onRun(steering: Steering): void;
  /** The command that repeats the import. */
  repeatCommand: string;
  /** Whether its files are only shown. */
  dryRun: boolean;
};

/** Why the agent's call failed, in the agent's own words. */
export type Failure = {
  code: string;
  message: string;
  /** ISO time at which the provider's limit ends, if the call failed on one that stated it. */
  resetsAt: string | null;
};

export type AgentImportResult = {
  answer: AgentAnswer;
  sessionId: string | null;
  /** Why the agent's last call failed; null if it answered. */
  failure: Failure | null;
  calls: number;
  /** The first line of its last answer. */
  firstLine: string;
  run: string;
  /** The signal that ended the import; null if none did. */
  stopped: StopBy | null;
  /** Wall time of the calls in ms. */
  ms: number;
  usage: Usage;
};

/**
 * Asks the agent to turn a document into plan and specs, in a short run of its own in the project's journal. The agent
 * gets only tools that read, and nothing of its answer is written here.
 * @throws RalphError `environment` if another ralph works in the project
 */
export async function importByAgent(input: AgentImport): Promise<AgentImportResult> {
  const { settings, agent, host, reader } = input;
  const paths = projectPaths(input.project, null, null);
  const sandbox = await sandboxOf(input, paths);
  const world = createWorld({
    ...{ paths, host, prices: readPrices(host), sandbox },
    use: { kind: "read", files: filesToKeep(input, paths) },
  });
  const spec = {
    driver: agent.driver,
    settings,
    version: VERSION,
    startedBy: "import",
    subscribers: [reader],
    recordIn: "new run",
    takesCommands: false,
  } as const;
  try {
    return await withRun(world, spec, (run) => importInRun(run, input));
  } finally {
    await sandbox?.close();
  }
}

/** The sandbox of an import's agent; null where the settings name none. */
async function sandboxOf({ settings, agent, host }: AgentImport, paths: ProjectPaths): Promise<Sandbox | null> {
  if (settings.SANDBOX === "none") return null;
  const { requireSandbox, openSandbox } = await import("../../effects/sandbox/sandbox.ts");
  const options = { settings, paths, host, agents: [agent] };
  await requireSandbox(options);
  return openSandbox(options);
}

async function importInRun(run: Run, input: AgentImport): Promise<AgentImportResult> {
  // An import has no iteration to finish, so the first Ctrl+C ends the call.
  let stopped: StopBy | null = null;
  const release = onSignals((signal) => {
    stopped ??= signal;
    run.stops.request(signal, "now");
  });
  input.onRun({ stops: run.stops, steer: () => {} });
  const agent = { ...input.agent, onPartial: () => {}, live: false };
  try {
    const { answer, calls } = await importDocument(run, agent, importDialogue(input));
    const last = calls.at(-1) ?? calls[0];
    const failure = last.ok ? null : describeFailure(run, last);
    run.finish(...importEnd(input, failure, stopped));
    const { run: name, usage, started_at } = run.state();
    return {
      answer,
      sessionId: last.sessionId ?? calls[0].sessionId,
      failure,
      calls: calls.length,
      firstLine: calls.reduce((firstLine, { output }) => firstWords(finalText(output)) || firstLine, ""),
      run: name,
      stopped,
      usage,
      ms: run.world.clock.now() - Date.parse(started_at),
    };
  } finally {
    release();
  }
}

function filesToKeep({ source }: AgentImport, { prompt, plan, agent, settings }: ProjectPaths): string[] {
  return [source, prompt, plan, agent, settings].filter((path) => path !== null);
}

/** The stop reason for each signal that ends a run. */
export const SIGNALLED = {
  SIGINT: "interrupted",
  SIGTERM: "terminated",
  SIGHUP: "hung_up",
  user: "interrupted",
} as const;

/** The error code of a failed call. Failures that need a person or a wait have their own (product.md "Exit codes"). */
export function failedAs(code: string): FailedImport {
  return FAILED.get(code) ?? "internal_error";
}

type FailedImport = "authentication" | "unpaid" | "model_unavailable" | "usage_limit" | "internal_error";

const FAILED: ReadonlyMap<string, FailedImport> = new Map([
  ["auth", "authentication"],
  ["billing", "unpaid"],
  ["model", "model_unavailable"],
  ["limit", "usage_limit"],
]);

function importEnd(
  { document, repeatCommand, dryRun }: AgentImport,
  failure: Failure | null,
  stopped: StopBy | null,
): [StopReason, string] {
  if (stopped !== null)
    return [SIGNALLED[stopped], `The import of ${document.name} was interrupted. Again: ${repeatCommand}`];
  if (failure === null)
    return [
      "import_complete",
      dryRun
        ? `${document.name} was turned into plan and specs, and --dry-run wrote none of them.`
        : `${document.name} became plan and specs.`,
    ];
  return [failedAs(failure.code), `The agent failed (${failure.code}): ${failure.message}. Again: ${repeatCommand}`];
}

const MAX_WORDS = 200;

/** The first line that holds a letter. */
function firstWords(text: string): string {
  return sanitizeLine(text.split("\n").find((line) => /\p{L}/u.test(line)) ?? "", MAX_WORDS);
}

/** The agent's own code and first line. The full stop goes, because more text follows. */
function describeFailure({ settings, world }: Run, { error, outcome, output }: CallResult): Failure {
  const outcomes: Readonly<Record<string, string>> = {
    timed_out: `it was not done after ${duration(settings.CLAUDE_TIMEOUT_MINUTES * MINUTE_MS)}; --timeout gives it more`,
    idle: "it said nothing for too long",
    stopped: "it was stopped",
  };
  // Older versions of Claude Code append the reset time of a limit as a bare number.
  const words = firstWords(error?.message ?? "").replace(/\|\d{9,}$/, "");
  const message = outcomes[outcome] ?? (words === "" ? outcome.replaceAll("_", " ") : words.replace(/[.\s]+$/, ""));
  const code = outcomes[outcome] === undefined ? (error?.class ?? outcome) : outcome;
  if (code !== "limit") return { code, message, resetsAt: null };
  const stated = output.limit ?? limitOfError(error?.message ?? "", world.clock.now(), world.zone);
  return { code, message, resetsAt: stated.resets_at };
}
