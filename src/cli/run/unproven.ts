import { gatesBlock } from "../../core/decide/completion.ts";
import { gateCommands, hasGates } from "../../core/decide/gate-rules.ts";
import type { Run } from "../../run/run.ts";
import type { CommandContext } from "../context.ts";

/**
 * Says at the start of a run that nothing but the agent's word will decide about "done", and which check would change that
 * (product.md "Proven or not"). It looks for the check beside the first call, so it delays nothing.
 */
export function sayUnproven(
  { settings, state, append, subscribe }: Run,
  context: Pick<CommandContext, "projectDir" | "env">,
): void {
  if (hasGates(settings) && gatesBlock(settings)) return;
  let isSaid = false;
  const say = async () => {
    const [gate] = gateCommands(settings);
    const check = gate ?? (await import("../setup/inspect-site.ts")).inspectSite(context, null).findings.commands.test;
    const why = hasGates(settings) ? "gates_only_warn" : "no_gate";
    if (state().finished === null) append({ type: "done_unchecked", why, check });
  };
  subscribe({
    name: "the look for a check",
    onEvents(steps) {
      if (isSaid || !steps.some(({ event }) => event.type === "agent_started")) return;
      isSaid = true;
      // Only the journal can fail here, and the loop notices that itself.
      say().catch(() => {});
    },
  });
}
