/** The page of `ralph ui` in a real Chromium, where there is one: how soon something is painted, and how smoothly a long run scrolls. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium, openChromium } from "../../tests/e2e/support/chromium.ts";
import { startUi } from "../../tests/e2e/support/ui.ts";
import { withBench } from "../lib/bench/bench-project.ts";
import { longProject } from "../lib/bench/long-project.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";

const ITERATIONS = 2000;
const MOST_PAINT_MS = 300;
/** 60 frames a second, with what a clock of whole frames is off. */
const MOST_FRAME_MS = 17;

/** Epoch ms of the first text on the page. */
const PAINTED = `new Promise((resolve) => {
  const look = () => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (paint === undefined) setTimeout(look, 5);
    else resolve(performance.timeOrigin + paint.startTime);
  };
  look();
})`;

/** Scrolls for three seconds, 60 px a frame; ms a frame, on average. */
const SCROLLED = `new Promise((resolve) => {
  const began = performance.now();
  let frames = 0;
  const step = (now) => {
    frames += 1;
    scrollBy({ top: 60, behavior: "instant" });
    if (now - began < 3000) requestAnimationFrame(step);
    else resolve((now - began) / frames);
  };
  requestAnimationFrame(step);
})`;

export default function uiBrowser({ quick }: BenchOptions): Promise<Figure[]> {
  if (chromium === null) return Promise.resolve([]);
  return withBench(async ({ folder }) => {
    const project = longProject(folder);
    const events = project.write(ITERATIONS);
    const page = await openChromium();
    const floor = await serveOneLine();
    const bare: number[] = [];
    const paints: number[] = [];
    const frames: number[] = [];
    const painted = async (address: string, since: number): Promise<number> => {
      await page.open(address);
      return (await page.value<number>(PAINTED)) - since;
    };
    try {
      // The first one starts half of the browser.
      for (let run = -1; run < (quick ? 1 : 7); run += 1) {
        const line = await painted(floor.address, Date.now());
        const start = Date.now();
        const server = await startUi(project);
        const ours = await painted(server.address(), start);
        server.kill("SIGTERM");
        await server.exited;
        if (run < 0) continue;
        bare.push(line);
        paints.push(ours);
      }
      const server = await startUi(project);
      await page.open(server.address());
      await page.becomes(`document.querySelector("#home h2 a") !== null`, true);
      await page.value(`location.href = ${JSON.stringify(project.address)}`);
      await page.becomes(`document.querySelector("#i${ITERATIONS}") !== null`, true);
      for (let run = 0; run < (quick ? 1 : 3); run += 1) frames.push(await page.value<number>(SCROLLED));
      server.kill("SIGTERM");
      await server.exited;
    } finally {
      floor.close();
      await page.close();
    }
    return [
      figure("a page of one line: address to first paint", "ms", bare),
      figure("ralph ui: start to first paint", "ms", paints, MOST_PAINT_MS),
      figure(`ralph ui: a frame while ${events} events scroll`, "ms", frames, MOST_FRAME_MS),
    ];
  });
}

/** What any page costs this browser. */
async function serveOneLine(): Promise<{ address: string; close(): void }> {
  const server = createServer((_, response) => response.end("<!doctype html><title>one</title><p>One line.</p>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}
