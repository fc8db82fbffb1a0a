/** The recorded demo: the journal of a real `ralph demo`, and what the program itself shows of it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { reduce } from "../../../src/core/journal/reduce.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { eventLines } from "../../../src/view/live/event-lines.ts";
import { style } from "../../../src/view/text/style.ts";
import { binary, root } from "../paths.ts";

const JOURNAL = join(root, "docs", "assets", "demo.jsonl");
/** The folder that the screens name; the real one was a temporary one. */
const PROJECT = "/tmp/greeter";

/** Longer pauses are cut to this: who looks at a picture does not wait for an agent. */
const LONGEST_PAUSE_MS = 400;

/** A line of the screen, with its colours, and when it appears. */
export type RecordedLine = { ms: number; text: string };

/** The lines of the recorded journal. */
export function journalLines(): string[] {
  return readFileSync(JOURNAL, "utf8").trimEnd().split("\n");
}

/**
 * What a terminal keeps of the run, by the function that the live view and `ralph replay` show it with.
 * @param width columns of the terminal
 */
export function recordedLines(width: number): RecordedLine[] {
  const events = journalLines().map((line): RalphEvent => JSON.parse(line));
  const options = {
    width,
    style: style(true),
    shorten: (text: string) => text,
    verbose: false,
    live: true,
    toolsAsCalled: false,
  };
  let state = initialState(PROJECT);
  let [before, ms] = [Date.parse(events[0]?.at ?? ""), 0];
  const lines: RecordedLine[] = [];
  for (const event of events) {
    const previous = state;
    state = { ...reduce(state, event), project: PROJECT };
    const texts = eventLines({ event, state, previous }, options);
    if (texts.length === 0) continue;
    const at = Date.parse(event.at);
    ms += Math.min(at - before, LONGEST_PAUSE_MS);
    before = at;
    lines.push(...texts.map((text) => ({ ms, text })));
  }
  return lines;
}

/** What a command prints about the recorded run. @throws if it fails */
export function outputOf(...argv: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-docs-"));
  try {
    const run = join(folder, "greeter", ".ralph", "runs", JSON.parse(journalLines()[0] ?? "{}").run);
    mkdirSync(run, { recursive: true });
    cpSync(JOURNAL, join(run, "events.jsonl"));
    const project = join(folder, "greeter");
    const { PATH = "" } = process.env;
    const { exitCode, stdout, stderr } = Bun.spawnSync(
      [process.execPath, join(root, "src", "main.ts"), ...argv, "-C", project],
      { env: { PATH, HOME: folder, TZ: "UTC", NO_COLOR: "1", COLUMNS: "80" } },
    );
    if (exitCode !== 0) throw new Error(`ralph ${argv.join(" ")}: ${stderr}`);
    return stdout.toString().trimEnd();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `ralph demo` of the compiled program and keeps its journal. @throws if the demo fails */
export function record(): void {
  const home = mkdtempSync(join(tmpdir(), "ralph-docs-"));
  try {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: home, TMPDIR: home, TZ: "UTC", NO_COLOR: "1" };
    const { exitCode, stderr } = Bun.spawnSync([binary, "demo", "--keep"], { env });
    if (exitCode !== 0) throw new Error(`ralph demo: ${stderr}`);
    const [journal] = [
      ...new Bun.Glob("ralph-demo-*/greeter/.ralph/runs/*/events.jsonl").scanSync({ cwd: home, dot: true }),
    ];
    if (journal === undefined) throw new Error("ralph demo --keep left no journal");
    writeFileSync(JOURNAL, withoutPlaces(readFileSync(join(home, journal), "utf8"), home));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Takes out where it was recorded: the program's folder, the project's, and the machine's start. */
function withoutPlaces(journal: string, home: string): string {
  return journal
    .replaceAll(binary, "ralph")
    .replace(/"start_time":"[^"]*"/g, '"start_time":"0"')
    .replaceAll(new RegExp(`${home}/ralph-demo-\\w+/greeter`, "g"), PROJECT);
}
