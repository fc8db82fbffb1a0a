import { continueCommand, worksFromPlan } from "../../core/continue-command.ts";
import type { State } from "../../core/journal/state.ts";
import { countAside, takeableTasks } from "../../core/needs/questions.ts";
import { isReopened } from "../../core/plan/fix-plan.ts";
import type { ReportNext } from "../../core/report/report-types.ts";
import { nextStep, runEnd } from "../../view/next-step.ts";
import { projectState } from "../project-state.ts";
import { planNow } from "./status-now.ts";

/** What is next after a project's newest run: the open tasks of the plan as it is, and the step that the end card names. */
export async function projectNext(projectDir: string, now: number): Promise<ReportNext> {
  const { state, alive } = await projectState(projectDir);
  return nextAfter(projectDir, { state, alive }, now);
}

/** The same for a state that is known. */
export function nextAfter(
  projectDir: string,
  { state, alive }: { state: State; alive: boolean },
  now: number,
): ReportNext {
  const plan = worksFromPlan(state) ? planNow(projectDir, state)?.plan : null;
  const [task] = takeableTasks(plan?.tasks ?? [], state);
  const { text, commands } = stepNow(state, { alive, reopened: isReopened(state.plan, plan?.counts ?? null) }, now);
  return {
    task: task?.text ?? null,
    open_tasks: plan?.tasks.map((one) => one.text) ?? [],
    step: text === "" ? null : text,
    commands,
  };
}

/** A live run needs no step, and a demo leaves nothing to go on with. One that broke off goes on where it was. */
function stepNow(
  state: State,
  { alive, reopened }: { alive: boolean; reopened: boolean },
  now: number,
): { text: string; commands: string[] } {
  if (alive || state.started_by === "demo") return { text: "", commands: [] };
  if (state.finished !== null)
    return nextStep(
      {
        ...runEnd(state.finished.reason, state),
        iteration: state.iteration,
        reopened,
        answered: countAside(state.inbox, state.settings) === 0,
      },
      now,
    );
  const command = continueCommand(state);
  return { text: `Go on with: ${command}`, commands: [command] };
}
