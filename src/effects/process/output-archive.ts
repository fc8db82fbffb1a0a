import { join } from "node:path";
import type { EventOf } from "../../core/journal/event.ts";
import { outputName, outputPath } from "../../core/state-files/output-name.ts";
import { ensureFolder, linkOrCopy } from "../state-files/log-files.ts";
import type { OnceReporter } from "../state-files/report-once.ts";

/** Links the output of each call into `logs`, where other programs look for it. */
export type OutputArchive = {
  /** @returns the path of the output below `.ralph`: in `logs` if the link could be made */
  keep(driver: string, event: EventOf<"agent_finished">): string;
};

/**
 * @param ralphDir the project's `.ralph`, absolute
 * @param offsetAt of local time at a time, in ms
 */
export function createOutputArchive(
  ralphDir: string,
  { attempt }: OnceReporter,
  offsetAt: (at: number) => number,
): OutputArchive {
  const logs = join(ralphDir, "logs");
  /** The newest output: the name it would have had first, and the number it got. */
  let newest = { first: "", nth: 0 };
  return {
    keep(driver, event) {
      const path = outputPath(event.run, event.iteration, event.call);
      const startedAt = Date.parse(event.at) - event.ms;
      const nameOf = (nth: number) => outputName(driver, startedAt, nth, offsetAt(startedAt));
      let kept = path;
      attempt(".ralph/logs", () => {
        ensureFolder(logs);
        // Names have a resolution of one second: quick agents share one, and the numbers up to the last are taken.
        const from = nameOf(1) === newest.first ? newest.nth + 1 : 1;
        const found = linkOrCopy(join(ralphDir, path), logs, nameOf, from);
        if (found === null) return;
        newest = { first: nameOf(1), nth: found.nth };
        kept = `logs/${found.name}`;
      });
      return kept;
    },
  };
}
