/** The cost of watching a run: following a live one, drawing a frame, and opening a long journal. */

import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { initialState } from "../../src/core/journal/state.ts";
import { takeLock } from "../../src/effects/journal/lock.ts";
import { frame } from "../../src/view/dashboard/frame.ts";
import { applyEvent, emptyDashboard } from "../../src/view/dashboard/model.ts";
import { createOutputLines } from "../../src/view/dashboard/output-lines.ts";
import { initialUi } from "../../src/view/dashboard/ui-state.ts";
import { style } from "../../src/view/text/style.ts";
import { settingsOf } from "../../tests/core/given.ts";
import { RUN, writeLongJournal } from "../../tests/e2e/support/long-journal.ts";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { environment } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";
import { binary } from "../lib/paths.ts";

const EVENTS_A_SECOND = 100;
const MOST_PERCENT = 2;
const MOST_FRAME_MS = 5;
const MOST_OPENING_MS = 1000;
/** The first seconds go to the JIT compiler. */
const SETTLE_MS = 5000;
const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
];

export default function follow({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder }) => {
    const frames = SIZES.flatMap((size) =>
      ["", "number"].map((filter) => {
        const name = `a ${filter === "" ? "" : "filtered "}frame of ${size.columns} by ${size.rows}`;
        return figure(name, "ms", frameTimes(size, filter, quick ? 50 : 300), MOST_FRAME_MS);
      }),
    );
    if (process.platform !== "linux") return frames;
    const live: Figure[] = [];
    for (const size of SIZES) {
      const shares: number[] = [];
      for (let run = 0; run < (quick ? 1 : 3); run += 1)
        shares.push(await shareOfCore(makeProject(folder, `live-${size.columns}-${run}`, 0), size, quick ? 2 : 5));
      const name = `following ${EVENTS_A_SECOND} events a second, ${size.columns} by ${size.rows}`;
      live.push(figure(name, "% CPU", shares, MOST_PERCENT));
    }
    const long = makeProject(folder, "long", 0);
    const bytes = writeLongJournal(long, { iterations: 2000, tools: 30, resultBytes: 3000 });
    const opened: number[] = [];
    for (let run = 0; run < (quick ? 1 : 5); run += 1) opened.push(await opening(long));
    return [
      ...frames,
      ...live,
      figure(`a journal of ${Math.round(bytes / 1e6)} MB to the first frame`, "ms", opened, MOST_OPENING_MS),
    ];
  });
}

/** Wall ms per frame of a dashboard with full output, with one new event each. */
function frameTimes(size: { columns: number; rows: number }, filter: string, frames: number): number[] {
  const output = createOutputLines();
  let dashboard = emptyDashboard("/project");
  const draw = (now: number) =>
    frame({
      dashboard,
      opened: null,
      partial: "",
      plan: null,
      runs: [],
      workers: [],
      ui: { ...initialUi(), filter },
      size,
      now,
      alive: true,
      readOnly: null,
      message: null,
      replay: null,
      style: style(true),
      shorten: (text) => text,
      output,
      reading: null,
    });
  const events = eventsOf("/project");
  const next = () => {
    dashboard = applyEvent(dashboard, events.next().value);
  };
  for (let event = 0; event < 3000; event += 1) next();
  draw(Date.now());
  return Array.from({ length: frames }, () => {
    next();
    const start = performance.now();
    draw(Date.now());
    return performance.now() - start;
  });
}

/** Per cent of one core that `ralph monitor` uses after its start, while this process writes the journal. */
async function shareOfCore(project: string, size: { columns: number; rows: number }, seconds: number): Promise<number> {
  const dir = join(project, ".ralph", "runs", RUN);
  mkdirSync(dir, { recursive: true });
  const lock = takeLock(join(project, ".ralph", "lock"), { pid: process.pid, startTime: null, run: RUN });
  const events = eventsOf(project);
  const path = join(dir, "events.jsonl");
  const put = (count: number) => {
    const lines = Array.from({ length: count }, () => `${JSON.stringify(events.next().value)}\n`);
    if (count > 0) appendFileSync(path, lines.join(""));
  };
  put(1000);
  const began = performance.now();
  let written = 0;
  const writer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) / 1000) * EVENTS_A_SECOND);
    put(due - written);
    written = due;
  }, 1000 / EVENTS_A_SECOND);
  const monitor = monitorOf(project, size, () => {});
  try {
    await Bun.sleep(SETTLE_MS);
    const [cpu, at] = [cpuMs(monitor.pid), performance.now()];
    await Bun.sleep(seconds * 1000);
    return ((cpuMs(monitor.pid) - cpu) / (performance.now() - at)) * 100;
  } finally {
    clearInterval(writer);
    monitor.kill();
    await monitor.exited;
    if (lock.held) lock.release();
  }
}

/** Wall ms from the start of `ralph monitor` to a frame that shows the run. */
async function opening(project: string): Promise<number> {
  const start = performance.now();
  const { promise, resolve } = Promise.withResolvers<number>();
  const [size = { columns: 80, rows: 24 }] = SIZES;
  const monitor = monitorOf(project, size, (text) => {
    if (text.includes("Output")) resolve(performance.now() - start);
  });
  const ms = await Promise.race([promise, monitor.exited.then(() => Number.NaN)]);
  monitor.kill();
  await monitor.exited;
  return ms;
}

function monitorOf(project: string, { columns, rows }: { columns: number; rows: number }, see: (text: string) => void) {
  const decoder = new TextDecoder();
  return Bun.spawn([binary, "monitor"], {
    cwd: project,
    env: { ...environment(project), TERM: "xterm-256color" },
    terminal: { cols: columns, rows, data: (_, bytes) => see(decoder.decode(bytes, { stream: true })) },
  });
}

/** CPU of all threads of a process so far. */
function cpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const ns = readdirSync(tasks).map((task) => Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]));
  return ns.reduce((sum, of) => sum + of, 0) / 1e6;
}

/** Events of an agent at work: text, and tools with their results. */
function* eventsOf(project: string): Generator<RalphEvent, never> {
  let seq = 0;
  const event = (body: EventBody): RalphEvent => {
    seq += 1;
    return { v: 1, seq, at: new Date().toISOString(), run: RUN, iteration: seq === 1 ? 0 : 1, ...body };
  };
  yield event({
    type: "run_started",
    version: "1",
    driver: "demo",
    settings: settingsOf({ MAX_ITERATIONS: 50 }),
    state: initialState(project),
    pid: process.pid,
    started_by: "cli",
    project,
  });
  yield event({ type: "iteration_started", number: 1, call: 1, resume: null, plan: null, head: null, snapshot: null });
  for (let n = 0; ; n += 1) {
    yield event({
      type: "agent_text",
      call: 1,
      text: `Step ${n}: **look** at \`src/${n}.ts\`.\n\n${"Some words on it. ".repeat(12)}`,
    });
    const tool_id = `t${n}`;
    yield event({
      type: "agent_tool_started",
      call: 1,
      tool_id,
      tool: "Bash",
      input: { command: `npm test -- src/${n}.test.ts`, description: null },
    });
    const content = `${"ok 12 tests passed in the file that was named\n".repeat(30)}`;
    yield event({ type: "agent_tool_finished", call: 1, tool_use_id: tool_id, content, is_error: false });
  }
}
