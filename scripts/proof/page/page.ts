import { THRESHOLDS } from "../beside/thresholds.ts";
import { type Agreement, agreementOf } from "./agreement.ts";
import { peersTable, sectionOf } from "./beside-section.ts";
import type { Results } from "./kept-results.ts";
import { killsSection } from "./kills-section.ts";
import { virtualSection, weaknesses } from "./virtual-section.ts";

/**
 * The page of the documents: what was run and what came out, made from results alone.
 * @throws Error without results in virtual time
 */
export async function pageOf({ virtual, cells, ended }: Results): Promise<string> {
  if (virtual === null) throw new Error("none of the results is from `npm run proof -- --out FILE`");
  const agreement = await agreementOf(cells);
  const weak = weaknesses(virtual, THRESHOLDS);
  return [
    "# Beside other loops",
    "",
    "Made by `npm run proof -- --page FILE...` from the results of `npm run proof -- --out FILE` and",
    "`npm run proof -- --peers DIR --out FILE`, which are kept in `docs/assets/proof/`. Do not edit.",
    "",
    "An agent that behaves by chance works in generated projects whose truth no loop can see: tasks that are ticked and wrong, claims",
    "that come too early, idle calls, regressions, weakened tests, crashes, limits, hangs. How often each happens stands in",
    "`scripts/proof/persona.ts`, with its source. The same seed gives each loop the same luck. An oracle, which sees the truth, is",
    "the floor: no loop can pay less with the same agent.",
    "",
    "- **False done**: it says that all is done, and it is not. **False stop**: it gives up at no bound, though the oracle gets there.",
    "  In virtual time a stop because tests were weakened is none; beside other programs it counts as one, as nobody asks why they stopped.",
    `- Bounds, written down before any run: with a gate that misses nothing, false done at most ${THRESHOLDS.falseDone * 100} %; false stop at most ${THRESHOLDS.falseStop * 100} %; money at`,
    `  most ${THRESHOLDS.ratioToOracle} times the oracle's and ${THRESHOLDS.ofBestPeer} times the best peer's; at most ${THRESHOLDS.callsAfterTruth} calls after the truth.`,
    "- Intervals are Wilson's; those of money are a bootstrap over the seeds that both loops ran.",
    "",
    "## The loop in virtual time",
    "",
    "The loop of the program, its world in memory, its clock a number: a night takes milliseconds.",
    ...agreed(agreement),
    "",
    ...virtualSection(virtual),
    "## The program beside other programs",
    "",
    "Each loop is the real program, unmodified, in a git project of its own, with a stand-in for its agent's CLI. Money is what the calls",
    "would have cost, whatever a loop counts. `sleep` in shell scripts returns at once and its seconds pass for the limits; the clock",
    "of ours runs ten times as fast. 40 calls end a run. Before a loop counts, an agent that is always right has to end as done in it,",
    "and one that does nothing and claims nothing must not.",
    "",
    peersTable(),
    "",
    "What a clone does not have yet (`ralphex` is built from it) is named when it is missing, with its path.",
    "",
    ...cells.flatMap(sectionOf),
    ...(ended === null ? [] : killsSection(ended)),
    "## Weaknesses of ours that it showed",
    "",
    ...(weak.length === 0 ? ["None beyond the bounds in virtual time."] : weak.map((one) => `- ${one}`)),
    "",
    "## What this does not show",
    "",
    "- The rates of the agents are chosen or taken from few recordings; the last table of virtual time says which of them matter.",
    "- With a gate that misses nothing, a loop that asks it must win. The tables with 25 % are the ones to read for real projects: a loop",
    "  that asks the gate and has its work reviewed at least twice (`ralphex, its reviews + gate`) is wrong there less often than ours with",
    "  one look, and gives up more often. Ours with REVIEW_ON_DONE=2 or 3 is what to hold against it.",
    "- `ralph-starter --validate` has the figures of a loop without a gate: whether its validation ran was not looked at.",
    "- A review of `ralphex` sees a fault as often as a stranger of ours does, and the reviewers that it calls side by side cost",
    "  nothing. A crash or a limit of its agent ends it, as it is set from the start. With `--wait` it goes on after a limit: it waits six",
    "  seconds, and the clock of its agent runs ten times as fast, so that it is the minute that a limit lasts, which nobody knows",
    "  beforehand. With other agents it is the same program.",
    "- `frankbria/ralph-claude-code` and `bmalph` are slow, so they ran with few seeds. The loop itself has 200 seeds in virtual time",
    "  and few in the program, which end the same.",
    "- `ralphctl` shows its loop on a terminal screen only. A script sits before it: it lays a plan as its screens write one, starts it,",
    "  and takes the first answer to each question. It is set to its own `claude-economic`, has a gate that runs the tests of what was",
    "  begun, and runs in Bun. A task whose judge never agrees ends as done there, with a warning: an end with one counts as not said.",
    '  It met the agent "weak" alone: after a limit it waits minutes by the clock. Ended in the middle of a call, the script would end.',
    "- Hung calls are in virtual time only. `ralph-orchestrator` is not in the tables, as it was not to be had: its npm package brings no",
    "  program, but gets one from elsewhere when it is installed, and its sources bring none of the packages that their compiler needs.",
    "",
  ].join("\n");
}

function agreed({ runs, same, others }: Agreement): string[] {
  if (runs === 0) return ["The program itself was not run beside it."];
  return [
    `Of ${runs} runs of the program itself with the same seeds (below), ${same} ended the same: end, calls, truth, and money to the cent.`,
    ...(others.length === 0 ? [] : ["The others:", "", ...others.map((one) => `- ${one}`)]),
  ];
}
