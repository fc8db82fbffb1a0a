/** The server of `ralph ui`: how soon it answers, and how small it stays while a page shows a long run. */
import { readFileSync } from "node:fs";
import { enter, get, type Secrets, startUi, type Ui } from "../../tests/e2e/support/ui.ts";
import { withBench } from "../lib/bench/bench-project.ts";
import { longProject } from "../lib/bench/long-project.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";

/** Iterations. */
const LENGTHS = [2000, 4000];
const MOST_MB = 60;
const MOST_ANSWER_MS = 300;
const MOST_ROWS_MS = 1000;
/** What is collected afterwards is collected by then. */
const SETTLE_MS = 3000;

export default function ui({ quick }: BenchOptions): Promise<Figure[]> {
  const runs = quick ? 1 : 3;
  return withBench(async ({ folder }) => {
    const project = longProject(folder);
    const seen = new Map<string, number[]>();
    const put = (name: string, value: number) => void seen.set(name, [...(seen.get(name) ?? []), value]);
    for (const iterations of LENGTHS) {
      const what = `${project.write(iterations)} events`;
      for (let run = 0; run < runs; run += 1) {
        const start = performance.now();
        const server = await startUi(project);
        const secrets = await enter(server);
        put("ralph ui: start to first answer", performance.now() - start);
        await Bun.sleep(SETTLE_MS);
        put("ralph ui: memory, idle", resident(server));
        const page = await follow(server, secrets, project.query);
        put(`ralph ui: first rows of ${what}`, page.first);
        put(`ralph ui: all rows of ${what}`, page.all);
        await Bun.sleep(SETTLE_MS);
        put(`ralph ui: memory, showing ${what}`, resident(server));
        await page.close();
        await Bun.sleep(SETTLE_MS);
        put(`ralph ui: memory, after showing ${what}`, resident(server));
        server.kill("SIGTERM");
        await server.exited;
      }
    }
    return [...seen].map(([name, values]) => {
      if (name.includes("memory")) return figure(name, "MB", values, MOST_MB);
      return figure(
        name,
        "ms",
        values,
        name.includes("answer") ? MOST_ANSWER_MS : name.includes("first") ? MOST_ROWS_MS : null,
      );
    });
  });
}

/** Follows the run as a page does, until it has all rows; times are ms. */
async function follow(server: Ui, secrets: Secrets, query: string) {
  const start = performance.now();
  const answer = await get(server, `/api/follow/run?${query}`, secrets);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let first = Number.NaN;
  for (let rest = ""; !rest.includes("event: caught_up"); ) {
    const part = await reader?.read();
    if (part === undefined || part.done) throw new Error("the stream ended");
    rest = rest.slice(-20) + part.value;
    if (Number.isNaN(first) && rest.includes("event: rows")) first = performance.now() - start;
  }
  const all = performance.now() - start;
  return { first, all, close: async () => void (await reader?.cancel()) };
}

/** MB (1e6 bytes); NaN without /proc. */
function resident({ pid }: Ui): number {
  if (process.platform !== "linux") return Number.NaN;
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / 1e6;
}
