import { randomUUID } from "node:crypto";
import { decide } from "../../core/decide/decide.ts";
import { noSession } from "../../core/decide/session.ts";
import type { State } from "../../core/journal/state.ts";
import { parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { taskPrompt } from "../../core/prompt/compose-prompt.ts";
import { masksOf } from "../../core/secrets/mask.ts";
import { placeOf, promptFileIn } from "../../core/settings/resolve-settings.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { WRITE_PROMPT_HINT } from "../../core/text/hints.ts";
import { visibleStyles } from "../../core/text/plain-text.ts";
import { singleQuoted } from "../../core/text/shell-words.ts";
import { createHost } from "../../effects/host.ts";
import {
  checkRalphDir,
  type ProjectPaths,
  projectPaths,
  readOptional,
  requireText,
} from "../../effects/project/project-paths.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { buildCommand, composeWork } from "../../run/compose-request.ts";
import { carriedCutOff, initialRunState } from "../../run/recovery.ts";
import { type AgentChoice, chooseAgent, driverLookup } from "../agent/agent-choice.ts";
import type { CommandContext } from "../context.ts";
import type { PromptArgs } from "../definitions/prompt.ts";
import { loadSettings } from "../load-settings.ts";
import { projectState } from "../project-state.ts";
import { requirePrompt } from "../run/prompt-hint.ts";

/** `ralph prompt [MODE] [--json]`: exactly what the next iteration would send. */
export async function run(context: CommandContext<PromptArgs>): Promise<number> {
  checkRalphDir(context.projectDir);
  const resolved = loadSettings(context);
  const { settings } = resolved;
  const paths = projectPaths(context.projectDir, promptFileIn(resolved), context.args.mode ?? null);
  const host = createHost(context.projectDir, context.env);
  const agent = await chooseAgent(driverLookup(resolved, host), context.self);
  const { task = null, mode = null, json } = context.args;
  if (task === null)
    requirePrompt(paths, {
      mode,
      stray: null,
      isNamed: promptFileIn(resolved) !== null,
      place: placeOf(resolved.sources.PROMPT_FILE),
    });
  return show({ context, settings, paths, agent, task, live: context.isTty.stdout, json });
}

type ShowInput = {
  context: Pick<CommandContext, "stdout" | "projectDir" | "env">;
  settings: Settings;
  paths: ProjectPaths;
  agent: AgentChoice;
  task: string | null;
  /** Whether the run would ask for text while it is being written. */
  live: boolean;
  json?: boolean;
};

/** Prints what the next iteration would send; starts and writes nothing. */
export async function show({ context, settings, paths, agent, task, live, json = false }: ShowInput): Promise<number> {
  const now = Date.now();
  const found = await stateNow(context.projectDir, settings, agent, now);
  const decision = decide(found, settings, now);
  const state = decision.do === "run" ? withoutDropped(found, decision.drops, now) : found;
  const plan = parseProjectPlan(task === null ? readOptional(paths.plan) : null, settings);
  const { request } = composeWork({
    agent,
    settings,
    state,
    number: decision.do === "run" ? decision.number : state.iteration + 1,
    resume: decision.do === "run" ? decision.resume : null,
    newSessionId: randomUUID(),
    prompt: task === null ? requireText(paths.prompt, "The prompt", WRITE_PROMPT_HINT) : taskPrompt(task),
    plan,
    cwd: context.projectDir,
    isGitRepository: createWorkspace(context.projectDir).isGitRepository,
    live,
  });
  const command = buildCommand(agent, request);
  const mask = masksOf(settings, context.env).text;
  const environment = ["RALPH_RUN", ...Object.keys(command.env ?? {})];
  if (json) {
    const document = {
      driver: agent.driver.name,
      decision: decision.do,
      argv: command.argv.map(mask),
      stdin: command.stdin === undefined ? null : mask(command.stdin),
      context: request.context,
      environment,
    };
    context.stdout(jsonFile(document));
    return 0;
  }
  const parts = [
    decision.do === "stop" ? `# The next run would stop at once: ${decision.sentence}\n` : "",
    "# Command",
    command.argv.map((word) => quoted(mask(word))).join(" "),
    "",
    "# Variables added to its environment",
    environment.join(" "),
    "",
    "# Context (system prompt)",
    request.context ?? "",
    "",
    "# Prompt (stdin)",
    mask(command.stdin ?? ""),
  ];
  context.stdout(visibleStyles(parts.join("\n").replace(/\n?$/, "\n")));
  return 0;
}

/** The live run's state, or the one that a run started now would begin with. */
async function stateNow(project: string, settings: Settings, agent: AgentChoice, now: number): Promise<State> {
  const { state, alive } = await projectState(project);
  if (alive) return { ...state, open: null };
  const fresh = { ...initialRunState(state, settings, now), ...carriedCutOff(state, { startedBy: "cli", task: null }) };
  return { ...fresh, driver: agent.driver.name, settings: { ...settings }, started_at: new Date(now).toISOString() };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word);
}

/** The state after the reset that would come before the iteration. */
function withoutDropped(state: State, drops: string | null, now: number): State {
  return drops === null ? state : { ...state, session: noSession(new Date(now).toISOString(), drops) };
}
