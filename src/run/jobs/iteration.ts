import { analyse, parseAnswer } from "../../core/answer/analysis.ts";
import { gatesAfter } from "../../core/decide/gates-due.ts";
import type { SessionResetReason } from "../../core/decide/session.ts";
import { recordTree } from "../../core/decide/tree-history.ts";
import { iterationVerdict } from "../../core/decide/verdict.ts";
import { type Evidence, type IterationOutcome, wasCutShort } from "../../core/journal/event.ts";
import { warning } from "../../core/journal/warning.ts";
import { takeableTasks } from "../../core/needs/questions.ts";
import { type ParsedPlan, parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { branchLeft, describeBranchLeft } from "../../core/prompt/branch-left.ts";
import { breakerInput, stepBreaker } from "../../core/stop/circuit-breaker.ts";
import { mayBeConversation } from "../../core/stop/failure-backoff.ts";
import { mayRefuseConversation } from "../../core/stop/same-failure.ts";
import type { Snapshot } from "../../effects/ports.ts";
import type { Agent } from "../agent.ts";
import { type CallResult, callAgent } from "../call.ts";
import { checkpointAfter, checkpointBefore } from "../checkpoint.ts";
import { composeWork, requestBase } from "../compose-request.ts";
import type { Run } from "../run.ts";
import { askPerson } from "./ask-person.ts";
import { breakOff } from "./break-off.ts";
import { gatherEvidence } from "./evidence.ts";
import { runGates } from "./gates.ts";

/** Nothing puts it back, and files decide without one: the run goes on, but its commits are lost. */
export const REPOSITORY_GONE = "The project's git repository is gone: get it back before you go on.";

/** `home`: the branch that the run began on; null or left out for none. */
export type IterationStep = { number: number; call: number; resume: string | null; home?: string | null };

/**
 * What an iteration begins with. `plan`: where a call is repeated, that of the first one, which may have ticked boxes. `isKept`: the
 * files are as the checkpoint of the iteration before has them, a moment ago.
 */
export type IterationStart = { tree: Snapshot; plan?: ParsedPlan | null; isKept?: boolean };

/**
 * Runs one iteration: compose, record, call the agent, observe, analyse, record. A limited or rejected call leaves the
 * iteration open for the loop to repeat; a stopped call interrupts it.
 * @param known the start if it is known, in a repeated call or right after another iteration; else null
 * @returns what the next iteration is to be compared with; null if it should take a new snapshot
 */
export async function runIteration(
  run: Run,
  agent: Agent,
  at: IterationStep,
  known: IterationStart | null,
): Promise<IterationStart | null> {
  const { world, settings } = run;
  const { project, workspace } = world;
  const before = known?.tree ?? (await workspace.snapshot());
  const plan = parseProjectPlan(project.plan(), settings);
  const planBefore = known?.plan === undefined ? plan : known.plan;
  const home = at.home ?? null;
  const leftBefore = branchLeft(before, home);
  const [task] = takeableTasks(plan?.tasks ?? [], run.state());
  const { request, notes } = composeWork({
    // The tree as it is now: an agent may have made the repository.
    ...requestBase(run, agent, before),
    state: run.toldState(),
    number: at.number,
    resume: at.resume,
    prompt: project.prompt(),
    plan,
    live: agent.live,
    branchLeft: leftBefore,
  });

  run.append({
    type: "iteration_started",
    number: at.number,
    call: at.call,
    resume: request.resume,
    plan: plan?.counts ?? null,
    head: before.head,
    snapshot: before.id,
    ...(task === undefined ? {} : { task: task.text }),
    ...(notes === null ? {} : { notes }),
    ...(home === null ? {} : { branch: home }),
  });
  if (known?.isKept !== true) checkpointBefore(run, before, at.number);
  const startedAt = world.runningMs();
  const call = await callAgent(run, agent, {
    purpose: "main",
    iteration: at.number,
    call: at.call,
    request,
    tree: before.id,
  });

  if (call.outcome === "stopped") {
    breakOff(run, at.number, "stopped");
    return null;
  }
  if (call.repeat === "session") run.append({ type: "reset", what: "session", reason: resetReason(call) });
  if (call.repeat !== null) return { tree: before, plan: planBefore };

  const after = await workspace.snapshot();
  if (before.isGitRepository && !after.isGitRepository && !run.world.project.isGone())
    run.append(warning(REPOSITORY_GONE));
  const left = leftBefore === null ? branchLeft(after, home) : null;
  if (left !== null) run.append(warning(describeBranchLeft(left)));
  const evidence = await gatherEvidence(run, { before, after, plan: planBefore, task: task?.text ?? null });
  const title = evidence.plan_ticked?.[0] ?? evidence.subject ?? null;
  const isKept = checkpointAfter(run, after, at.number, title);
  const gated = await finishIteration(run, { at, call, evidence, startedAt, tree: after, task: task?.text ?? null });
  // Files that a gate wrote are not the next iteration's work.
  return gated ? null : { tree: after, isKept };
}

/** A conversation that grew too long was not rejected: it poisons each further call. */
function resetReason({ error }: CallResult): SessionResetReason {
  return error?.class === "context" ? "api_error" : "session_rejected";
}

type ObservedIteration = {
  at: IterationStep;
  call: CallResult;
  evidence: Evidence;
  startedAt: number;
  tree: Snapshot;
  task: string | null;
};

/**
 * Runs the gates that are due and records the result of the iteration.
 * @returns whether gates ran
 */
async function finishIteration(
  run: Run,
  { at, call, evidence, startedAt, tree, task }: ObservedIteration,
): Promise<boolean> {
  const { world, settings } = run;
  const before = run.state();
  const analysis = analyse(call.output, before.last?.analysis ?? null, {
    allowedTools: settings.ALLOWED_TOOLS,
    filesChanged: evidence.files_changed,
    now: world.clock.now(),
    // Asked for only where a limit names a clock time: it costs some ms.
    get zone() {
      return world.zone;
    },
    // The last answer's lines are those of the journal.
    mask: run.masks.text,
  });
  const outcome = iterationOutcome(call, evidence);
  // Before the gates, which may run for minutes: a kill then loses no question.
  if (outcome !== "failed") askPerson(run, { answer: parseAnswer(call.output), analysis, evidence, task });
  const { due, decide } = gatesAfter(before, { outcome, analysis, evidence }, settings);
  const judged = due && (await runGates(run, { iteration: at.number, couldEndOn: decide ? tree : null }));

  const { breaker, trend, trees, open, ...state } = run.state();
  const gates = judged ? state.gates : [];
  const finished = {
    outcome,
    call: call.outcome,
    error: call.error,
    analysis,
    evidence,
    trend,
    gates,
    trees,
    settings,
  };
  run.append({
    type: "iteration_finished",
    outcome,
    analysis,
    evidence,
    verdict: iterationVerdict({
      outcome,
      call,
      analysis,
      evidence,
      gates,
      revisited: recordTree(trees, evidence).revisited,
    }),
    breaker: stepBreaker(breaker, breakerInput(finished), {
      thresholds: settings,
      number: at.number,
      now: world.clock.now(),
    }),
    usage: open?.usage ?? call.output.usage,
    ms: Math.max(0, Math.round(world.runningMs() - startedAt)),
  });
  // The provider would refuse the same conversation again, or may.
  const { session, failures } = run.state();
  const isRefused = call.error?.class === "request" || call.error?.class === "context";
  const mayBeRefused = mayBeConversation(failures) || mayRefuseConversation(failures);
  if (isRefused || (outcome === "failed" && session.session_id !== null && mayBeRefused))
    run.append({ type: "reset", what: "session", reason: "api_error" });
  return due;
}

/** A timeout with changed files is work; without, it is a failure. */
function iterationOutcome(call: CallResult, evidence: Evidence): IterationOutcome {
  if (call.ok) return "answered";
  return wasCutShort(call.outcome) && evidence.progress ? "timed_out" : "failed";
}
