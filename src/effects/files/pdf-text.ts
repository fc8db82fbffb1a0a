import process from "node:process";
import type { Worker } from "node:worker_threads";
import { SECOND_MS } from "../../core/durations.ts";
import { reasonOf } from "../../core/system-error.ts";
import { byteSize } from "../../core/text/byte-size.ts";
import type { PdfText } from "./pdf-pages.ts";

/** What reading one document may take: a few packed kB can unpack to any size. */
export type PdfLimits = {
  /** A book of 1,000 pages takes a few seconds. */
  timeoutMs: number;
  /** What may be added to the memory of this process. */
  growthBytes: number;
};

const LIMITS: PdfLimits = { timeoutMs: 10 * SECOND_MS, growthBytes: 1 << 30 };
const LOOK_MS = 20;

/**
 * Reads the text of a PDF in a thread, which is ended once it takes too much: the library unpacks a stream at one go, and
 * streams within streams, so that nothing in its own thread could stop it.
 */
export async function pdfText(bytes: Uint8Array, limits: Partial<PdfLimits> = {}): Promise<PdfText> {
  const { startPdfThread } = await import("./pdf-thread.ts");
  const thread = startPdfThread(bytes);
  try {
    return await Promise.race([answerOf(thread), excessOf({ ...LIMITS, ...limits }, thread)]);
  } finally {
    await thread.terminate();
  }
}

function answerOf(thread: Worker): Promise<PdfText> {
  return new Promise((resolve) => {
    thread.once("message", (read: PdfText) => resolve(read));
    thread.once("error", (error) => resolve({ problem: `it cannot be read: ${reasonOf(error)}` }));
    thread.once("exit", () => resolve({ problem: "it cannot be read" }));
  });
}

/** Resolves once the thread has used up its time or its memory. */
function excessOf({ timeoutMs, growthBytes }: PdfLimits, thread: Worker): Promise<PdfText> {
  const began = performance.now();
  const before = process.memoryUsage().rss;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (performance.now() - began > timeoutMs) resolve({ problem: "it cannot be read: it takes too long" });
      if (process.memoryUsage().rss - before > growthBytes)
        resolve({ problem: `it cannot be read: it needs more than ${byteSize(growthBytes)} of memory` });
    }, LOOK_MS);
    thread.once("exit", () => clearInterval(timer));
  });
}
