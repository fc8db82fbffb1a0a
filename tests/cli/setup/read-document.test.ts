import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDocument } from "../../../src/cli/setup/read-document.ts";
import { RalphError } from "../../../src/core/errors.ts";
import { readZipFile } from "../../../src/effects/files/zip.ts";
import { readTasks } from "../../../src/setup/import/read/requirements.ts";
import { boxText } from "../../../src/setup/plan/task.ts";
import { testFolder } from "../../folders.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";
import { makePdf } from "./make-pdf.ts";
import { makeZip } from "./make-zip.ts";

const top = testFolder("document");
let count = 0;
const read = (name: string, content: string | Uint8Array) => {
  const folder = join(top, String(++count));
  mkdirSync(folder);
  writeFileSync(join(folder, name), content);
  return readDocument(join(folder, name), name);
};
const text = async (name: string, content: string | Uint8Array) => (await read(name, content)).text;
const refusal = async (name: string, content: string | Uint8Array) => {
  const error = await read(name, content).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RalphError)) throw new Error("it was read");
  return error.message;
};
const tasks = (markdown: string) => readTasks(markdown, { specOf: null }).map(boxText);

const paragraph = (words: string, more = "") =>
  `<w:p><w:pPr>${more}</w:pPr><w:r><w:t xml:space="preserve">${words}</w:t></w:r></w:p>`;
const style = (name: string) => `<w:pStyle w:val="${name}"/>`;
const bullet = (level = 0) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;
const cell = (words: string) => `<w:tc>${paragraph(words)}</w:tc>`;
const docx = (body: string) =>
  makeZip({ "[Content_Types].xml": "<x/>", "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>` });

describe("reading a document", () => {
  test("takes headings, lists, boxes and tables from Word, without deleted text", async () => {
    const body = [
      paragraph("Shop", style("Title")),
      paragraph("Requirements", style("Heading1")),
      paragraph("FR-1: Sign in &amp; out", bullet()),
      paragraph("☐ FR-2: Pay", bullet()),
      '<w:p><w:r><w:t>Keep</w:t></w:r><w:del w:id="1"><w:r><w:t>Gone</w:t></w:r></w:del></w:p>',
      `<w:tbl><w:tr>${cell("ID")}${cell("Requirement")}</w:tr><w:tr>${cell("FR-3")}${cell("a | b")}</w:tr></w:tbl>`,
    ].join("");
    const markdown = await text("x.docx", docx(body));
    expect(markdown).toContain("# Shop");
    expect(markdown).toContain("| FR-3 | a \\| b |");
    expect(markdown).not.toContain("Gone");
    expect(tasks(markdown)).toEqual(["FR-1: Sign in & out", "FR-2: Pay", "FR-3: a | b"]);
  });

  test("removes what a terminal would obey", async () => {
    expect(await text("x.md", "# A\u001b[2J\u0007\u009b\n\tb\n")).toBe("# A[2J\n\tb\n");
  });

  test("takes lines from PDF as on the page, with chapters as headings", async () => {
    const markdown = await text(
      "x.pdf",
      makePdf([
        "Shop requirements",
        "",
        "1. INTRODUCTION",
        "A shop.",
        "",
        "2. FEATURES",
        "",
        "FR-1: Sign in",
        "FR-2: Pay (by card)",
      ]),
    );
    expect(markdown).toContain("## 1. INTRODUCTION");
    expect(tasks(markdown)).toEqual(["FR-1: Sign in", "FR-2: Pay (by card)"]);
  });

  test("takes stories and their state from JSON, and any other shape", async () => {
    const stories = {
      project: "Shop",
      userStories: [
        { id: "US-1", title: "Sign in", acceptanceCriteria: ["works"], passes: true },
        { id: "US-2", title: "Pay", priority: 1, acceptanceCriteria: ["by card"], passes: false },
      ],
    };
    const [first, second] = readTasks(await text("prd.json", JSON.stringify(stories)), { specOf: null });
    expect([first, second]).toMatchObject([
      { id: "US-1", done: true },
      { id: "US-2", done: false },
    ]);
    expect(second?.details.join(" ")).toContain("by card");
    expect(tasks(await text("x.json", JSON.stringify({ features: ["login", "logout"] })))).toEqual(["login", "logout"]);
  });

  test("says why rules read it only roughly, where they do", async () => {
    const rough = async (name: string, content: string) => (await read(name, content)).rough;
    const chapters = (...titles: string[]) => titles.map((title) => `## ${title}\n\nWords.\n`).join("\n");
    expect(await rough("x.pdf", makePdf(["Shop", "", "FR-1: Pay"]))).toContain("PDF");
    expect(await rough("x.json", JSON.stringify({ issues: [{ key: "P-1", fields: { summary: "Pay" } }] }))).toContain(
      "no items with a title",
    );
    expect(await rough("x.json", JSON.stringify({ openapi: "3.1.0", paths: {} }))).not.toBeNull();
    expect(await rough("x.md", chapters("Einleitung", "Ziele", "Umfang", "Zeitplan"))).toContain("English");
    expect(await rough("x.md", chapters("Einleitung", "Ziele", "Umfang", "FR-1: Kasse"))).toBeNull();
    expect(await rough("x.md", chapters("Goals", "Search", "Basket", "Till"))).toBeNull();
    expect(await rough("x.json", JSON.stringify({ userStories: [{ id: "US-1", title: "Pay" }] }))).toBeNull();
    expect(await rough("x.json", '["Pay"]')).toBeNull();
  });

  test("decodes UTF-16 and drops a byte order mark", async () => {
    expect(await text("x.md", Buffer.from("\ufeff- [ ] ä", "utf16le"))).toBe("- [ ] ä");
    expect(await text("x.md", "\ufeff- [ ] ä")).toBe("- [ ] ä");
  });
});

describe("a hostile document", () => {
  test.each([
    ["x.md", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2]), "no text"],
    ["x.txt", "a\0b", "no text"],
    ["x.md", " \n", "holds no text"],
    ["x.docx", "no archive", "not a ZIP archive"],
    ["x.docx", makeZip({ "../../evil": "x" }), "holds no word/document.xml"],
    ["x.docx", docx("").subarray(0, 90), "not a ZIP archive"],
    ["x.pdf", "%PDF-1.4 broken", "cannot be read"],
    ["x.json", "{broken", "no JSON"],
    ["x.md", "x".repeat((8 << 20) + 1), "more than 8 MB"],
    ["x.md", "|a".repeat(500_001), "its tables have more than 500000 cells"],
    ["x.exe", "MZ", "does not read .exe"],
  ])("is refused with the reason (%s, row %#)", async (name, content, reason) =>
    expect(await refusal(name, content)).toContain(reason),
  );

  test("that is a Word file of gigabytes unpacked is stopped at the bound", async () => {
    const bomb = makeZip({ "word/document.xml": Buffer.alloc(200 << 20) });
    expect(bomb.length).toBeLessThan(1 << 20);
    expect(await refusal("x.docx", bomb)).toContain("unpacks to more than 32 MB");
  });

  test("gets no entities expanded, and unclosed markup takes time in proportion to its length", async () => {
    const laughs = `<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${paragraph("&b; &#x48;")}`;
    expect(await text("x.docx", docx(laughs))).toBe("&b; H\n");
    const unclosed = (size: number) => docx(`${paragraph("a")}${"<w:p><w:t".repeat(size / 9)}`);
    expect(await growth(unclosed, (file) => text("x.docx", file), 1_800_000)).toBeLessThan(IN_PROPORTION);
  });

  test("of 20 MB of text is refused for its size", async () => {
    expect(await refusal("x.md", "- [ ] task\n".repeat(2_000_000))).toContain("8 MB");
  });

  test("of deeply nested JSON is read in full", async () => {
    expect(await text("x.json", `${'{"a":'.repeat(500)}1${"}".repeat(500)}`)).not.toBe("");
  });
});

describe("a ZIP archive", () => {
  test("yields a file by its exact name", () => {
    const archive = makeZip({ a: "1", "b/c": "2" });
    expect(readZipFile(archive, "b/c", 10)).toEqual({ bytes: Buffer.from("2") });
    expect(readZipFile(archive, "c", 10)).toEqual({ problem: "it holds no c" });
  });
  test("damaged at any byte never throws", () => {
    const archive = makeZip({ "word/document.xml": "hello ".repeat(100) });
    for (let at = 0; at < archive.length; at += 1) {
      const broken = Buffer.from(archive);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      expect(() => readZipFile(broken, "word/document.xml", 1 << 20)).not.toThrow();
    }
  });
});
