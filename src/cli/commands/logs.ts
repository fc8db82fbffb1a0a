import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import { initialState, reduce } from "../../core/state.ts";
import { JOURNAL_FILE, listRuns, readJournal } from "../../effects/journal-read.ts";
import { checkRalphDir } from "../../effects/project-files.ts";
import { linesOf } from "../../view/line.ts";
import { shortener } from "../../view/path.ts";
import { style } from "../../view/style.ts";
import type { CommandContext } from "../context.ts";
import type { LOGS } from "../definitions.ts";
import { stamped } from "../live-view.ts";

const POLL_MS = 200;

/**
 * `ralph logs [RUN] [-f] [--json]`: a run as readable lines, by the same function as the live view.
 * @throws RalphError `environment` if there is no such run
 */
export async function run(context: CommandContext<typeof LOGS.args>): Promise<number> {
  const runsDir = join(checkRalphDir(context.projectDir), "runs");
  const path = join(runsDir, chosenRun(listRuns(runsDir), context.args.run), JOURNAL_FILE);
  const print = context.args.json ? jsonPrinter(context) : linePrinter(context);
  let from = 0;
  for (;;) {
    let finished = false;
    for (const line of readJournal(path, from)) {
      from = line.end;
      if ("bad" in line) continue;
      print(line.event);
      finished = line.event.type === "run_finished";
    }
    if (!context.args.follow || finished) return 0;
    await sleep(POLL_MS);
  }
}

type Print = (event: Parameters<typeof reduce>[1]) => void;

function jsonPrinter(context: CommandContext): Print {
  return (event) => context.stdout(`${JSON.stringify(event)}\n`);
}

function linePrinter(context: CommandContext<typeof LOGS.args>): Print {
  const options = {
    width: context.columns,
    style: style(context.color),
    shorten: shortener(context.projectDir, process.platform === "darwin" || process.platform === "win32"),
    verbose: context.settings.RALPH_VERBOSE !== undefined,
    live: true,
  };
  let state = initialState(context.projectDir);
  return (event) => {
    const previous = state;
    state = reduce(state, event);
    const lines = linesOf(event, state, previous, options);
    const shown = context.isTty.stdout ? lines : stamped(lines, event.at);
    if (shown.length > 0) context.stdout(`${shown.join("\n")}\n`);
  };
}

function chosenRun(runs: readonly string[], wanted: string | undefined): string {
  const newest = runs.at(-1);
  if (newest === undefined)
    throw new RalphError("environment", "There is no run here yet.", { hint: "Start one with: ralph run" });
  if (wanted === undefined) return newest;
  const matching = runs.filter(
    (run) => run === wanted || run.startsWith(wanted) || Number(run.slice(0, 4)) === Number(wanted),
  );
  if (matching.length === 1 && matching[0] !== undefined) return matching[0];
  throw new RalphError("environment", `There is no run ${JSON.stringify(wanted)}.${didYouMean(wanted, runs)}`, {
    hint: `The newest one is ${newest}.`,
  });
}
