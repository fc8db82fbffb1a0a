import type { State } from "../journal/state.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const SUMMARY_CHARS = 300;
const MOST_FILES = 8;

/** Why a conversation was replaced, by the reason of its reset. */
const WHY: Readonly<Record<string, string>> = {
  session_renewed: "the one before had grown long",
  undone: "a person took back what was done last: look at the files and the plan, not at what you remember",
  session_idle: "nothing changed any more in the one before",
};

/** What a new conversation should know of the one that it replaces; empty unless one was just renewed. */
export function handOverNote({ session, last }: Pick<State, "session" | "last">): string {
  if (session.session_id !== null || last === null) return "";
  const why = WHY[session.reset_reason ?? ""];
  if (why === undefined) return "";
  const { analysis, evidence } = last;
  const summary = truncate(singleLine(analysis.work_summary), SUMMARY_CHARS);
  const files = evidence.files_changed.slice(0, MOST_FILES);
  const more = evidence.files_changed_count - files.length;
  return [
    `This is a new conversation about the same work, begun because ${why}. All that was done is in the files.`,
    ...(summary === "" ? [] : [`Its last answer: ${summary}`]),
    ...(files.length === 0 ? [] : [`Its last changes: ${files.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`]),
  ].join("\n");
}
