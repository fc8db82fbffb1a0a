/** Whatever an agent answers, a project's files hold, or a document says: it is read, in little time, and nothing throws. */
import { describe, expect, test } from "bun:test";
import { analyse } from "../../src/core/answer/analysis.ts";
import { collectEvent, emptyCollectedOutput } from "../../src/core/answer/collected-output.ts";
import { limitFromError } from "../../src/core/answer/error-patterns.ts";
import { resetTime } from "../../src/core/answer/reset-time.ts";
import { readStatus } from "../../src/core/answer/status-block.ts";
import { parseFindings } from "../../src/core/decide/review-state.ts";
import { RalphError } from "../../src/core/errors.ts";
import { readTestCounts } from "../../src/core/gates/test-counts.ts";
import { toEventBody } from "../../src/core/journal/agent-event-body.ts";
import { isWhole } from "../../src/core/journal/event-schema.ts";
import { believableUsage } from "../../src/core/journal/usage.ts";
import { readGap } from "../../src/core/look/gap-block.ts";
import { parsePlan, planReport } from "../../src/core/plan/fix-plan.ts";
import { parseRalphrc } from "../../src/core/settings/ralphrc.ts";
import { resolveSettings } from "../../src/core/settings/resolve-settings.ts";
import type { AgentEvent } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { BUILT_IN_DRIVERS } from "../../src/driver-host/registry.ts";
import { readZipFile } from "../../src/effects/files/zip.ts";
import { parseIndex } from "../../src/effects/git/index-file.ts";
import { parseAgentAnswer } from "../../src/setup/import/agent-answer.ts";
import { convertDocument } from "../../src/setup/import/formats/convert-document.ts";
import { docxMarkdown } from "../../src/setup/import/formats/docx-markdown.ts";
import { jsonMarkdown } from "../../src/setup/import/formats/json-markdown.ts";
import { plainMarkdown } from "../../src/setup/import/formats/plain-markdown.ts";
import { NOON } from "../core/given.ts";
import { corpus } from "../drivers/recordings/corpus.ts";
import { chance, hostileText, oneOf, spoiled, spoiledBytes } from "./hostile.ts";

/** The most CPU that one input may take: hundreds of times what an honest one of its size does. */
const MOST_MS = 1000;

/** Reads an input; fails with the input if that throws anything but a message for the user, or takes too long. */
function tame(input: string | Uint8Array, read: () => unknown): void {
  const began = process.cpuUsage();
  try {
    read();
  } catch (error) {
    if (!(error instanceof RalphError)) throw new Error(`${shown(input)}: ${(error as Error).stack}`);
  }
  const { user, system } = process.cpuUsage(began);
  const took = (user + system) / 1000;
  if (took > MOST_MS) throw new Error(`${Math.round(took)} ms for ${shown(input)}`);
}

function shown(input: string | Uint8Array): string {
  return JSON.stringify(typeof input === "string" ? input : Buffer.from(input).toString("base64")).slice(0, 3000);
}

const options = { filesChanged: null, allowedTools: [], zone: "UTC", now: NOON };

/** Everything that reads a text. */
const readers: [string, (text: string) => unknown][] = [
  ["the status block", readStatus],
  ["an answer", (text) => analyse(collectEvent(emptyCollectedOutput(), { type: "text", text }), null, options)],
  ["an error of an agent", (text) => [limitFromError(text, NOON, "UTC"), resetTime(text, NOON, "UTC")]],
  ["findings of a review", parseFindings],
  ["a gap", readGap],
  ["the output of tests", readTestCounts],
  ["a plan", (text) => JSON.stringify(planReport("p", parsePlan(text, ["Optional"])))],
  ["settings", (text) => parseRalphrc(text, { env: { HOME: "/h" } })],
  ["settings and their values", (text) => resolveSettings({ flags: {}, env: {}, file: { path: ".ralphrc", text } })],
  ["a document", (text) => convertDocument({ name: "a.md", text })],
  ["a document in plain text", (text) => convertDocument({ name: "a.txt", text: plainMarkdown(text) })],
  ["the XML of a Word document", (text) => docxMarkdown(`<w:document>${text}</w:document>`, text)],
  ["the answer to an import", (text) => parseAgentAnswer(text, "mark")],
];

describe("hostile text is read as", () => {
  test.each(readers)("%s", (name, read) => {
    const random = chance(name);
    for (let round = 0; round < 300; round += 1) {
      const text = hostileText(random);
      tame(text, () => read(text));
    }
  });
});

describe("what was once too much for them:", () => {
  test.each<[string, string]>([
    ["settings that double with each line", `A=${"x".repeat(100)}\n${"A=$A$A\n".repeat(60)}`],
    ["a default within a default, and so on", `A=${"${B:-".repeat(2700)}`],
    ["a plan of one endless line", `- [ ] ${"*".repeat(200_000)}`],
    ["a table of 20,000 rows", `| a | b |\n|---|---|\n${"| one | two |\n".repeat(20_000)}`],
    [
      "a table of 5,000 columns",
      `|${" a |".repeat(5000)}\n|${"---|".repeat(5000)}\n|${" b |".repeat(5000)}\n`.repeat(3),
    ],
    ["rows without a table", "| a | b |\n".repeat(30_000)],
    ["brackets that never close", "[".repeat(100_000)],
    ["a list 20,000 deep", Array.from({ length: 2000 }, (_, n) => `${" ".repeat(n)}- x`).join("\n")],
    ["status blocks without an end", "---RALPH_STATUS---\n".repeat(20_000)],
  ])("%s", (_, text) => {
    for (const [, read] of readers) tame(text, () => read(text));
  });
});

test("spoiled JSON documents become Markdown", () => {
  const random = chance("json");
  const story = { id: "US-1", title: "A", description: "B", acceptanceCriteria: ["c"], priority: 1, passes: false };
  const prd = { project: "p", branchName: "b", description: "d", userStories: [story, story], tasks: [{ title: "t" }] };
  for (let round = 0; round < 500; round += 1) {
    const value = spoiled(prd, random);
    tame(JSON.stringify(value) ?? "undefined", () => jsonMarkdown(value, "prd.json"));
  }
});

describe("spoiled recordings are decoded into whole events by the driver of", () => {
  const lines = corpus().flatMap(({ text }) =>
    text.split("\n").filter((line) => line.startsWith("{") && line.length < 20_000),
  );
  test.each(BUILT_IN_DRIVERS.map((driver) => [driver.name, driver] as const))("%s", (name, driver) => {
    const random = chance(name);
    const { decoder } = driver;
    if (decoder === undefined) return;
    for (let round = 0; round < 300; round += 1) {
      const some = Array.from({ length: 5 }, () => {
        const line = oneOf(lines, random);
        if (random() < 0.2) return line.slice(0, Math.floor(random() * line.length));
        try {
          return JSON.stringify(spoiled(JSON.parse(line), random)) ?? "";
        } catch {
          return hostileText(random);
        }
      });
      tame(some.join("\n"), () => {
        const reader = decoder(decoderKit);
        const events: AgentEvent[] = [...some.flatMap((line) => reader.line(line)), ...reader.end()];
        const output = events.reduce(collectEvent, emptyCollectedOutput());
        analyse(output, null, options);
        // As a run does it: figures that cannot be are left out of what an agent tells of its use.
        const believed = events.map((event) =>
          event.type === "usage" || event.type === "finished" ? believableUsage(event).usage : event,
        );
        const broken = believed.map((event) => toEventBody(event, 1)).find((body) => body !== null && !isWhole(body));
        if (broken !== undefined) throw new Error(`not whole: ${JSON.stringify(broken)}`);
      });
    }
  });
});

describe("spoiled bytes are refused or read as", () => {
  const zip = Buffer.from(
    "UEsDBBQAAAAAAAAAIQDFrTRZBQAAAAUAAAARAAAAd29yZC9kb2N1bWVudC54bWxoZWxsb1BLAQIUABQAAAAAAAAAIQDFrTRZBQAAAAUAAAARAAAAAAAAAAAAAAAAAAAAAAB3b3JkL2RvY3VtZW50LnhtbFBLBQYAAAAAAQABAD8AAAA0AAAAAAA=",
    "base64",
  );
  /** An index of some files, in git's versions 2 and 4. */
  function indexOf(version: number): Buffer {
    const head = Buffer.alloc(12);
    head.write("DIRC");
    head.writeUInt32BE(version, 4);
    head.writeUInt32BE(6, 8);
    const entries = ["a", "ab", "src/a.ts", "src/b.ts", "src/c/d.ts", "z"].map((name) => {
      const entry = Buffer.alloc(62, 1);
      entry.writeUInt16BE(name.length, 60);
      if (version === 4) return Buffer.concat([entry, Buffer.from([0]), Buffer.from(name), Buffer.from([0])]);
      return Buffer.concat([entry, Buffer.from(name), Buffer.alloc(8 - ((62 + name.length) % 8))]);
    });
    return Buffer.concat([head, ...entries, Buffer.alloc(20)]);
  }
  const kinds: [string, Buffer, (bytes: Buffer) => unknown][] = [
    ["a ZIP archive", zip, (bytes) => readZipFile(bytes, "word/document.xml", 1 << 20)],
    ["a git index of version 2", indexOf(2), (bytes) => orError(() => parseIndex(bytes, 20))],
    ["a git index of version 4", indexOf(4), (bytes) => orError(() => parseIndex(bytes, 20))],
  ];
  test.each(kinds)("%s", (name, honest, read) => {
    const random = chance(name);
    for (let round = 0; round < 3000; round += 1) {
      const bytes = spoiledBytes(honest, random);
      tame(bytes, () => read(bytes));
    }
  });

  test("an honest index of each version", () => {
    for (const version of [2, 4])
      expect(
        parseIndex(indexOf(version), 20)
          .entries.map(({ path }) => path)
          .at(-1),
      ).toContain("z");
  });
});

/** Its caller takes any error for "not an index". */
function orError(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}
