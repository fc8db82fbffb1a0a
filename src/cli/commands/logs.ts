import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { type EventFilter, type EventLevel, matchesFilter } from "../../core/journal/event-filter.ts";
import { stepOf } from "../../core/journal/event-step.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { foldsCase } from "../../core/project-path.ts";
import { logEntry } from "../../core/state-files/run-log.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { JOURNAL_FILE, type JournalLine, listRuns, readJournal, runAfter } from "../../effects/journal/journal-read.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { eventLines } from "../../view/live/event-lines.ts";
import { shortener } from "../../view/text/path.ts";
import { style } from "../../view/text/style.ts";
import { matchingLines } from "../../view/text/text.ts";
import { wholeNumber } from "../args/whole-number.ts";
import type { CommandContext } from "../context.ts";
import type { LogsArgs } from "../definitions/logs.ts";
import { liveRun } from "../run/send-control.ts";
import { chooseRun, chooseTold } from "../show/choose-run.ts";
import { damageTeller } from "../show/journal-damage.ts";
import { PLAIN_COLUMNS, stamped } from "../show/live-view.ts";

const POLL_MS = 200;

/** Events printed between two checks that the reader keeps up. */
const EVENTS_AT_ONCE = 200;

/**
 * `ralph logs [RUN] [-f] [--iteration N] [--grep TEXT] [--level L] [--json]`: a run as readable lines, made by the live
 * view's own function. Following without a name continues with the next run, as `tail -F` does.
 * @throws RalphError `environment` if there is no such run or iteration, or its journal tells nothing
 */
export async function run(context: CommandContext<LogsArgs>): Promise<number> {
  const { args } = context;
  const filter = filterOf(context);
  const print = args.json ? jsonPrinter(context, filter) : linePrinter(context, filter);
  const ralph = checkRalphDir(context.projectDir);
  const runsDir = join(ralph, "runs");
  const tellDamage = damageTeller(context.log);
  let readerLeft = false;
  process.stdout.once("error", () => {
    readerLeft = true;
  });
  let run = args.follow ? chooseRun(listRuns(runsDir), args.run) : chooseTold(runsDir, args.run);
  let from = 0;
  let isThere = filter.iteration === null;
  for (;;) {
    // Checked before reading: the last lines of a run that ends meanwhile are not missed.
    const isLive = liveRun(ralph) === run;
    let events = 0;
    const journal = join(runsDir, run, JOURNAL_FILE);
    for (const line of linesFrom(journal, from)) {
      from = line.end;
      if ("event" in line) {
        print(line.event);
        isThere ||= line.event.iteration === filter.iteration;
      } else tellDamage(journal);
      events += 1;
      if (events % EVENTS_AT_ONCE === 0) await context.drained();
      if (readerLeft) return 0;
    }
    if (readerLeft) return 0;
    if (!args.follow || (!isLive && args.run !== undefined)) break;
    const next = isLive ? null : runAfter(listRuns(runsDir), run);
    if (next === null) await sleep(POLL_MS);
    else {
      run = next;
      from = 0;
    }
  }
  if (isThere) return 0;
  throw new RalphError("environment", `The run ${run} has no iteration ${filter.iteration}.`, {
    hint: "See which it has with: ralph report",
  });
}

/** A run that is deleted while it is followed has no more lines. */
function* linesFrom(path: string, from: number): Generator<JournalLine> {
  if (from === 0 || existsSync(path)) yield* readJournal(path, from);
}

type Print = (event: RalphEvent) => void;

function filterOf({ args }: CommandContext<LogsArgs>): EventFilter {
  const iteration = args.iteration === undefined ? null : wholeNumber("--iteration", args.iteration);
  // The parser accepts only the listed levels.
  return { iteration, level: (args.level ?? "info") as EventLevel };
}

function jsonPrinter(context: CommandContext<LogsArgs>, filter: EventFilter): Print {
  const pattern = context.args.grep?.toLowerCase() ?? "";
  return (event) => {
    if (!matchesFilter(event, filter)) return;
    const line = JSON.stringify(event);
    if (line.toLowerCase().includes(pattern)) context.stdout(`${line}\n`);
  };
}

function linePrinter(context: CommandContext<LogsArgs>, filter: EventFilter): Print {
  const pattern = context.args.grep?.toLowerCase() ?? "";
  const options = {
    width: context.isTty.stdout ? context.columns : PLAIN_COLUMNS,
    style: style(context.color),
    shorten: shortener(context.projectDir, foldsCase(process.platform)),
    verbose: context.settings.RALPH_VERBOSE !== undefined,
    live: true,
    toolsAsCalled: context.args.follow && filter.level === "info",
  };
  let state = initialState(context.projectDir);
  return (event) => {
    const step = stepOf(state, event);
    ({ state } = step);
    if (!matchesFilter(event, filter)) return;
    const lines = eventLines(step, options);
    const whole = lines.length === 0 ? entryLines(event, step.previous, filter.level) : lines;
    const matching = pattern === "" ? whole : matchingLines(whole, pattern);
    const shown = context.isTty.stdout ? matching : stamped(matching, event.at);
    if (shown.length > 0) context.stdout(`${shown.join("\n")}\n`);
  };
}

/** Events that the live view leaves to the verdict, such as why a call failed. */
function entryLines(event: RalphEvent, { call }: State, level: EventLevel): string[] {
  // The verdict counts as a warning, so at that level it covers the call; a review has no verdict.
  const isCovered =
    level === "info" || (level === "warn" && event.type === "agent_finished" && call?.purpose !== "review");
  const entry = isCovered ? null : logEntry(event);
  return entry === null ? [] : [`  ${singleLine(entry.text)}`];
}
