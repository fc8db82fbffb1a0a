import { expect, test } from "bun:test";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { pdfText } from "../../../src/effects/files/pdf-text.ts";

const WORD = "(word) Tj 0 -14 Td ";
/** Words that show nothing: while the library reads them, nothing comes out of it. */
const NOTHING = "q Q ";

/** Pages that all show one packed stream: a few kB that unpack to many MB. */
function pdf(pages: number, words: number, { packings = 1, word = WORD } = {}): Uint8Array {
  let packed = Buffer.from(`BT /F1 12 Tf 72 700 Td ${word.repeat(words)}ET`);
  for (let packing = 0; packing < packings; packing += 1) packed = deflateSync(packed);
  const filters = "/FlateDecode ".repeat(packings);
  const kids = Array.from({ length: pages }, (_, page) => `${page + 5} 0 R`).join(" ");
  const leaf = "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>";
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /MediaBox [0 0 612 792] /Kids [${kids}] /Count ${pages} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter [${filters}] >>\nstream\n`),
      packed,
      Buffer.from("\nendstream"),
    ]),
    ...Array.from({ length: pages }, () => leaf),
  ];
  const parts = objects.map((object, index) =>
    Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]),
  );
  return new Uint8Array(
    Buffer.concat([Buffer.from("%PDF-1.4\n"), ...parts, Buffer.from("trailer << /Root 1 0 R >>\n%%EOF")]),
  );
}

test("an honest PDF is read page by page", async () => {
  const read = await pdfText(pdf(3, 2));
  expect(read).toEqual({ pages: ["word\nword", "word\nword", "word\nword"] });
});

test("a small PDF that unpacks to a large one is given up in time", async () => {
  const bytes = pdf(1000, 20_000);
  expect(bytes.length).toBeLessThan(400_000);
  const began = performance.now();
  expect(await pdfText(bytes, { timeoutMs: 500 })).toEqual({ problem: "it cannot be read: it takes too long" });
  expect(performance.now() - began).toBeLessThan(30_000);
});

test.each([
  ["packed", { packings: 1 }],
  ["packed twice", { packings: 2 }],
  ["packed twice and shows nothing", { packings: 2, word: NOTHING }],
])("one endless page that is %s is given up before its end", async (_, page) => {
  const began = performance.now();
  const read = await pdfText(pdf(1, 10_000_000, page), { timeoutMs: 200 });
  expect(read).toEqual({ problem: "it cannot be read: it takes too long" });
  expect(performance.now() - began).toBeLessThan(30_000);
});

// In a process of its own: memory that earlier tests gave back would be used again, and the process would not grow.
test("a small PDF that needs too much memory is given up before it has much more", async () => {
  const bytes = pdf(1, 80_000_000, { packings: 2, word: NOTHING });
  expect(bytes.length).toBeLessThan(20_000);
  const reader = Bun.spawn([process.execPath, join(import.meta.dirname, "pdf-growth.ts")], { stdin: bytes });
  const { read, most } = JSON.parse(await new Response(reader.stdout).text());
  expect(read).toEqual({ problem: "it cannot be read: it needs more than 200 MB of memory" });
  expect(most).toBeLessThan(1_000_000_000);
});
