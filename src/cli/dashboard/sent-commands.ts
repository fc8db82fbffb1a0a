import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../../effects/journal/control-channel.ts";
import { liveRun } from "../run/send-control.ts";

/** A run that has not taken a command by now is asleep. */
const TAKEN_WITHIN_MS = 3000;
/** A run whose socket is closed and whose lock is held for longer than this lives. */
const ENDS_WITHIN_MS = 1000;
const LOOK_MS = 60;

/** Commands that were sent to a run and that it has not answered. */
export type SentCommands = {
  /** Waits for the answer to one. */
  add(run: string, answer: Promise<Answer>): void;
  /** Tells those that the run has not taken, so that nobody thinks them done; each once. */
  tellLate(): void;
};

/** @param tell says what became of a command; null if nothing need be said */
export function createSentCommands(ralphDir: string, tell: (text: string | null) => void): SentCommands {
  const waiting = new Set<{ until: number }>();

  async function outcome(run: string, sent: Promise<Answer>): Promise<string | null> {
    const answer = await sent;
    if (typeof answer === "object") return `The run refused this: ${answer.refused}.`;
    if (answer === "taken") return null;
    return (await endsNow(ralphDir, run))
      ? "The run ended before it heard this."
      : "The run cannot be reached from here.";
  }

  return {
    add(run, answer) {
      const one = { until: performance.now() + TAKEN_WITHIN_MS };
      waiting.add(one);
      void outcome(run, answer)
        .catch((error: Error) => error.message)
        .then((text) => {
          waiting.delete(one);
          tell(text);
        });
    },
    tellLate() {
      for (const late of waiting) {
        if (performance.now() < late.until) continue;
        late.until = Number.POSITIVE_INFINITY;
        tell("The run does not answer just now; it hears this when it goes on, while the dashboard is open.");
      }
    },
  };
}

/** Whether a run ends within ENDS_WITHIN_MS: the system closes the files of a killed process one by one, its lock last. */
async function endsNow(ralphDir: string, run: string): Promise<boolean> {
  for (const end = performance.now() + ENDS_WITHIN_MS; liveRun(ralphDir) === run; await sleep(LOOK_MS))
    if (performance.now() >= end) return false;
  return true;
}
