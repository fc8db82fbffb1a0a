import type { GateResult } from "../decide/gate-rules.ts";
import type { EventOf } from "../journal/event.ts";
import { singleQuoted } from "../text/shell-words.ts";

const NEED_GREEN = "To have it need them green: ralph config set DONE_POLICY=evidence";

/** Why "done" rests on the agent's word in a run, and what to do about it, in two sentences. */
export function uncheckedText({ why, check }: Pick<EventOf<"done_unchecked">, "why" | "check">): string {
  return why === "gates_only_warn"
    ? `The gates only warn here, so "done" rests on the agent's word. ${NEED_GREEN}`
    : `No gate (a command that must pass) decides about "done": it rests on the agent's word. To have one: ${adoptCommand(check)}`;
}

/** What is seen of a gate that is green without a test. */
export const NO_TESTS = "It ran no tests, so it proves nothing.";

/**
 * The end of work that nothing but the agent's word says is done (product.md "Proven or not").
 * @param check the one that the project has; null for none
 * @param gates their results at the end
 */
export function unprovenText(check: string | null, gates: readonly GateResult[]): string {
  const red = gates.find(({ ok, weakened = false }) => !ok && !weakened);
  if (red !== undefined)
    return `Done, unproven: \`${red.command}\` was red at the end, and gates only warn here, so this rests on the agent's word. ${NEED_GREEN}`;
  const empty = gates.every(({ ok }) => ok) ? gates.find(({ no_tests }) => no_tests) : undefined;
  if (empty !== undefined)
    return `Done, unproven: \`${empty.command}\` ran no tests, so this rests on the agent's word. See which ones it should have found.`;
  return `Done, unproven: no gate was green at the end, so this rests on the agent's word. To have one: ${adoptCommand(check)}`;
}

/** @param check the one that the project has; null for none, which leaves its place open */
function adoptCommand(check: string | null): string {
  if (check === null) return "ralph gates adopt COMMAND";
  return `ralph gates adopt ${/["$`\\]/.test(check) ? singleQuoted(check) : `"${check}"`}`;
}
