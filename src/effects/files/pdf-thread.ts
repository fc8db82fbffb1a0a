import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { pdfPages } from "./pdf-pages.ts";

/**
 * Starts a thread that reads a PDF and posts one `PdfText`. Its entry is this module; where the whole program is one file,
 * that file, whose main.ts leads here by these words.
 */
export function startPdfThread(pdf: Uint8Array): Worker {
  return new Worker(new URL(import.meta.url), { argv: ["__pdf-thread"], workerData: { pdf } });
}

if (!isMainThread && workerData?.pdf instanceof Uint8Array) parentPort?.postMessage(await pdfPages(workerData.pdf));
