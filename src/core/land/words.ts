/** What is said of landing, in the live view, the logs and the result. */

import type { EventOf } from "../journal/event.ts";
import { firstTasks } from "../plan/taken-off-text.ts";
import { count } from "../text/count.ts";
import { firstNames } from "../text/first-names.ts";
import { singleLine } from "../text/plain-text.ts";

type LandEvent = EventOf<"land_stacked" | "land_tested" | "landed" | "land_returned" | "land_held">;

/** An event of landing in a sentence, and whether it is good news, bad news, or neither. */
export function landWords(event: LandEvent): { tone: "good" | "bad" | "warn" | "quiet"; text: string } {
  switch (event.type) {
    case "land_stacked": {
      const more = event.waiting > 0 ? `; ${count(event.waiting, "more waits", "more wait")}` : "";
      const what = event.untested === true ? "nothing tests it" : "to be tested";
      return { tone: "quiet", text: `On ${event.target}, ${what}: ${some(event.branches)}${more}` };
    }
    case "land_tested": {
      const what = event.branches.length === 0 ? event.target : `${event.target} with ${some(event.branches)}`;
      if (!event.green) return { tone: "bad", text: `Red: ${what}` };
      if (event.flaky.length === 0) return { tone: "good", text: `Green: ${what}` };
      const which = event.flaky.map(singleLine).join(", ");
      return { tone: "warn", text: `Flaky, red and then green on the same files (${which}): ${what}` };
    }
    case "landed": {
      const names = some(event.branches.map(({ name, text }) => text ?? name));
      const { ticked = [] } = event;
      const ticks = ticked.length === 0 ? "" : `; ticked in the plan: ${firstTasks(ticked)}`;
      if (event.from === event.to) return { tone: "good", text: `On ${event.target} already: ${names}${ticks}` };
      return { tone: "good", text: `Landed on ${event.target} (${event.to.slice(0, 7)}): ${names}${ticks}` };
    }
    case "land_returned":
      return { tone: "bad", text: returnedWords(event) };
    case "land_held":
      return { tone: "warn", text: heldWords(event) };
  }
}

type Returned = EventOf<"land_returned">;

const WHY = {
  red: "its gates are red",
  conflict: "it conflicts with what is on the target",
  weaker: "it makes the gates weaker",
} as const satisfies Record<Returned["why"], string>;

const WHAT_NEXT = {
  returned: "it goes back to its author",
  parked: "it came back too often and waits for you",
  gone: "somebody else has taken it up",
  kept: "it stays as it is",
} as const satisfies Record<Returned["claim"], string>;

/** That a branch did not land, why, and what becomes of it. */
function returnedWords({ branch, text, why, claim, files = [] }: Returned): string {
  const where = files.length === 0 ? "" : ` (${some(files)})`;
  return `Not landed: ${singleLine(text ?? branch)}: ${WHY[why]}${where}; ${WHAT_NEXT[claim]}.`;
}

function heldWords({ target, why, text }: EventOf<"land_held">): string {
  if (why === "moved") return `${target} was moved by somebody else: tested again on what it is now.`;
  if (why === "refused") return `${target} cannot be moved: ${singleLine(text)}`;
  return `Nothing can land while ${target} itself is red: ${singleLine(text)}`;
}

function some(names: readonly string[]): string {
  return firstNames(names.map(singleLine), 4);
}
