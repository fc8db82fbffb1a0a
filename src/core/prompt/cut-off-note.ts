import type { State } from "../journal/state.ts";

/**
 * That the call before this one was ended in the middle, which no answer tells: without it a new conversation does again what is half done in
 * the files. Empty if it came to its end, or if a person took its work back since.
 */
export function cutOffNote({ cut_off, session }: Pick<State, "cut_off" | "session">): string {
  if (!cut_off || (session.session_id === null && session.reset_reason === "undone")) return "";
  return "The call before this one was ended in the middle of its work, together with ralph. What it had changed by then is in the files, if nobody took it back, and may be half done: look at that first (git status, git diff, the plan), go on from there, and do nothing twice.";
}
