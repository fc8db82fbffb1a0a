/** Reads the PDF on stdin with 200 MB of memory to grow by; prints what came of it and by how many bytes the process grew. */
import { readFileSync } from "node:fs";
import { pdfText } from "../../../src/effects/files/pdf-text.ts";

const bytes = readFileSync(0);
const rss = () => process.memoryUsage().rss;
const before = rss();
let most = 0;
const timer = setInterval(() => {
  most = Math.max(most, rss() - before);
}, 5);
const read = await pdfText(bytes, { timeoutMs: 50_000, growthBytes: 200_000_000 });
clearInterval(timer);
console.log(JSON.stringify({ read, most }));
