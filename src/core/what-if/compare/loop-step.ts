import { decide } from "../../decide/decide.ts";
import type { State } from "../../journal/state.ts";
import { type LoopStep, lookFirst } from "../../look/look-first.ts";
import type { Settings } from "../../settings/settings.ts";
import { STOP_REASONS } from "../../stop/stop-reasons.ts";

/**
 * The loop's next step.
 * @param looks whether there is somebody who may look at finished work
 * @param now epoch ms
 */
export function stepAt(state: State, settings: Settings, now: number, looks: boolean): LoopStep {
  const decision = decide(state, settings, now);
  return looks ? lookFirst(decision, state, settings, now) : decision;
}

/** How another step differs from the run's own, in a rule and a sentence; null if it does not. */
export function stepDifference(
  own: LoopStep,
  other: LoopStep,
): { rule: "wait" | "session" | "look" | "record"; sentence: string } | null {
  if (own.do === "run" && other.do === "run") {
    if (own.resume === other.resume && own.drops === other.drops) return null;
    const how = other.resume === null ? "begun a new conversation" : "gone on with the conversation";
    return { rule: "session", sentence: `Iteration ${other.number} would have ${how}.` };
  }
  if (own.do === "wait" && other.do === "wait" && (own.why === other.why || own.until === other.until)) return null;
  if (own.do === "look" && other.do === "look") return null;
  if (other.do === "wait") {
    const until = new Date(other.until).toISOString();
    return { rule: "wait", sentence: `It would have waited here, until ${until}. ${other.message}`.trim() };
  }
  if (other.do === "look") return { rule: "look", sentence: "A stranger would have looked at the finished work here." };
  if (own.do === "wait") return { rule: "wait", sentence: "It would not have waited here." };
  if (own.do === "stop")
    return {
      rule: "record",
      sentence: `It would not have ended here (${STOP_REASONS[own.reason].text.replace(/\.$/, "")}).`,
    };
  return { rule: "look", sentence: "Nobody would have looked at the finished work here." };
}
