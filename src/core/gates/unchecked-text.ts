import type { EventOf } from "../journal/event.ts";

/** Why "done" rests on the agent's word in a run, and what to do about it, in two sentences. */
export function uncheckedText({ why, check }: Pick<EventOf<"done_unchecked">, "why" | "check">): string {
  if (why === "gates_only_warn")
    return `The gates only warn here, so "done" rests on the agent's word. To have it need them green: ${adoptCommand(check)}`;
  const found = check === null ? "" : ` The project has \`${check}\`.`;
  return `No check decides about "done": it rests on the agent's word.${found} To have one decide: ${adoptCommand(null)}${check === null ? " COMMAND" : ""}`;
}

function adoptCommand(check: string | null): string {
  return `ralph gates adopt${check === null ? "" : ` "${check}"`}`;
}
