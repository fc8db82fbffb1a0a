/** Content that Word stores apart from the words, or around them. */
import { describe, expect, test } from "bun:test";
import { docxMarkdown } from "../../../src/setup/import/formats/docx-markdown.ts";

const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const inList = (list: number, level: number) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;
const styled = (style: string) => `<w:pStyle w:val="${style}"/>`;
const paragraph = (inner: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr>${inner}</w:p>`;
const cell = (inner: string) => `<w:tc>${inner}</w:tc>`;
const table = (...rows: string[][]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
const level = (at: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const kind = (id: number, ...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join("")}</w:abstractNum>`;
const list = (id: number, of: number, more = "") =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`;

const NUMBERING = [
  kind(0, level(0, "decimal", "%1."), level(1, "decimal", "%1.%2")),
  kind(1, level(0, "decimalZero", "REQ-%1"), level(1, "lowerLetter", "%2)")),
  kind(2, level(0, "bullet", "•")),
  list(1, 0),
  list(2, 1),
  list(3, 2),
  list(4, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="20"/></w:lvlOverride>'),
].join("");

describe("a Word document", () => {
  test("has exactly the numbers that Word shows", () => {
    const body = [
      paragraph(run("Contents	1"), styled("TOC1")),
      paragraph(run("Scope"), styled("Heading1") + inList(1, 0)),
      paragraph(run("Users"), styled("Heading2") + inList(1, 1)),
      paragraph(run("Roles"), styled("Heading2") + inList(1, 1)),
      paragraph(run("Work"), styled("Heading1") + inList(1, 0)),
      paragraph(run("Parts"), styled("Heading2") + inList(1, 1)),
      paragraph(run("must sign in"), inList(2, 0)),
      paragraph(run("by mail"), inList(2, 1)),
      paragraph(run("must pay"), inList(2, 0)),
      paragraph(run("must refund"), inList(4, 0)),
      paragraph(run("a dot"), inList(3, 0)),
      paragraph(run("unknown"), inList(9, 7)),
    ].join("");
    expect(
      docxMarkdown(body, NUMBERING)
        .split("\n")
        .filter((line) => line !== ""),
    ).toEqual([
      "# 1. Scope",
      "## 1.1 Users",
      "## 1.2 Roles",
      "# 2. Work",
      "## 2.1 Parts",
      "- REQ-01 must sign in",
      "  - by mail",
      "- REQ-02 must pay",
      "- REQ-20 must refund",
      "- a dot",
      "              - unknown",
    ]);
  });

  test.each([
    [
      "tracked changes as they are once accepted",
      "must pay",
      [
        run("must "),
        `<w:del><w:r><w:delText>not </w:delText></w:r></w:del><w:moveFrom>${run("never ")}</w:moveFrom>`,
        `<w:ins>${run("pay")}</w:ins>`,
      ].join(""),
    ],
    [
      "the text around a box with text, and the box once",
      "boxed\n\nbefore behind",
      [
        run("before "),
        `<mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph(run("boxed"))}</w:txbxContent></mc:Choice>`,
        `<mc:Fallback><w:txbxContent>${paragraph(run("boxed"))}</w:txbxContent></mc:Fallback></mc:AlternateContent>`,
        run("behind"),
      ].join(""),
    ],
    ["hyphens that break no line", "FR-1 x", `${run("FR")}<w:r><w:noBreakHyphen/></w:r>${run("1 x")}`],
    ["boxes to tick", "- [ ] open", run("☐ open")],
  ])("keeps %s", (_, markdown, inner) => expect(docxMarkdown(paragraph(inner))).toBe(`${markdown}\n`));

  const broken = run("a {").concat("<w:r><w:br /></w:r>", run("  b: 1"), "<w:r><w:br /></w:r>", run("}"));
  test.each([
    [
      "a code block's lines, written as one paragraph",
      paragraph(broken, styled("SourceCode")),
      "```\na {\n  b: 1\n}\n```",
    ],
    [
      "a code block's lines, each a paragraph",
      ["a {", "", "}"].map((line) => paragraph(run(line), styled("HTMLPreformatted"))).join(""),
      "```\na {\n\n}\n```",
    ],
    ["code with a fence in it", paragraph(run("```sh"), styled("Code")), "~~~\n```sh\n~~~"],
    ["a broken line of text as one paragraph", paragraph(broken), "a { b: 1 }"],
    ["a broken line in a cell", table([paragraph(run("h"))], [paragraph(broken)]), "| h |\n| --- |\n| a { b: 1 } |"],
  ])("keeps %s", (_, xml, markdown) =>
    expect(docxMarkdown(paragraph(run("Before")) + xml + paragraph(run("After")))).toBe(
      `Before\n\n${markdown}\n\nAfter\n`,
    ),
  );

  test("keeps a row with a nested table", () => {
    const inner = table([paragraph(run("in")), paragraph(run("side"))]);
    const rows = [
      [paragraph(run("ID")), paragraph(run("What"))],
      [paragraph(run("FR-1")), inner + paragraph(run("end"))],
    ];
    expect(docxMarkdown(table(...rows))).toBe("| ID | What |\n| --- | --- |\n| FR-1 | in side end |\n");
  });

  test("of hostile lists and tags is read in linear time", () => {
    const deep = paragraph(run("x"), '<w:ilvl w:val="999999999"/><w:numId w:val="1"/>');
    expect(docxMarkdown(deep, "")).toContain("- x");
    expect(docxMarkdown("<w:p ".repeat(300_000), "<w:abstractNum ".repeat(300_000))).toBe("\n");
  });
});
