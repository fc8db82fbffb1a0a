/** The end of a swarm whose branch somebody has renamed or deleted. */
import type { EventOf } from "../../core/journal/event.ts";
import { warning } from "../../core/journal/warning.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { nextLook } from "./next-look.ts";
import type { Swarm } from "./swarm-context.ts";
import { tellStop } from "./tell-stop.ts";

const ID_CHARS = 10;

/**
 * Lets those at work end with what they have, which stays on their branches: nothing can land, and the plan may be gone with the branch.
 * @returns the run's last event
 */
export async function endWithoutTarget(at: Swarm): Promise<EventOf<"run_finished">> {
  const { run, options, busy } = at;
  const { target } = options.land;
  run.append(warning(`The branch ${target} is gone: those at work end with what they have.`));
  for (;;) {
    tellStop(at, run.state().stop_requested?.how ?? "after_iteration");
    if (!at.landing && [...busy.values()].every(({ exit }) => exit !== "running")) break;
    await nextLook(at);
  }
  const handedIn = (await options.land.candidates(null)).branches.map(({ name }) => name);
  const atWork = [...busy.values()].flatMap(({ worker }) => options.yard.newest(worker)?.tasks_at_work ?? []);
  const names = new Set([...handedIn, ...atWork.map(({ branch }) => branch)].filter((name) => name !== ""));
  const kept = names.size === 0 ? "" : ` What is not landed is kept on ${[...names].map(singleLine).join(", ")}.`;
  const again = at.tip === "" ? "" : `, or make it again: git branch ${typedWord(target)} ${at.tip.slice(0, ID_CHARS)}`;
  return run.finish(
    "not_all_landed",
    `The branch ${target} is not there any more, so nothing can land on it.${kept} If it was renamed, give it its name back (git branch -m NAME ${typedWord(target)})${again}. Then begin the swarm again: it goes on.`,
  );
}
