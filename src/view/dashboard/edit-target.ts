import type { EventStep } from "../../core/journal/event-step.ts";
import type { PlanEntry } from "./plan/run-plan.ts";
import type { Ui } from "./ui-state.ts";

/** What an editor opens: the plan's file, a file that a tool names, or the shown output as a text. */
export type EditTarget = { what: "plan"; line: number | null } | { what: "file"; path: string } | { what: "output" };

/**
 * What the user means by "edit": the selected task or line, else the output.
 * @param first the event of the first line on the screen
 */
export function editTarget(
  ui: Ui,
  plan: readonly PlanEntry[],
  events: readonly EventStep[],
  first: number | undefined,
): EditTarget {
  if (ui.mode === "task" || ui.focus === "plan") return { what: "plan", line: plan[ui.task]?.line ?? null };
  const seq = ui.at?.seq ?? ui.changes?.seq ?? (ui.changes === null ? undefined : first);
  const ended = events.find(({ event }) => event.seq === seq);
  if (ended?.event.type !== "agent_tool_finished") return { what: "output" };
  const id = ended.event.tool_use_id;
  const call = ended.previous.tools.find(({ tool_id }) => tool_id === id);
  const isFile = call?.tool === "Edit" || call?.tool === "Write" || call?.tool === "Read";
  return isFile ? { what: "file", path: call.input.file_path } : { what: "output" };
}
