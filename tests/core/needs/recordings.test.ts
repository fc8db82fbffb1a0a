/** Recorded answers of real agents: a person is called only where one asked or was blocked. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse, parseAnswer } from "../../../src/core/answer/analysis.ts";
import { findAsk } from "../../../src/core/needs/ask.ts";
import { decoderKit } from "../../../src/driver-host/decoder-kit.ts";
import { recordedReader } from "../../../src/driver-host/recorded/recorded-output.ts";
import { BUILT_IN_DRIVERS } from "../../../src/driver-host/registry.ts";

const FOLDER = join(import.meta.dir, "../../fixtures/agent-output");

const recordings = readdirSync(FOLDER).flatMap((driver) =>
  readdirSync(join(FOLDER, driver))
    .filter((name) => !name.endsWith(".meta.json"))
    .map((name) => join(driver, name)),
);

test("of all recordings only questions and refused permissions need a person", () => {
  const kinds = new Map<string, string[]>();
  for (const recording of recordings) {
    const reader = recordedReader({ drivers: BUILT_IN_DRIVERS, kit: decoderKit });
    for (const line of readFileSync(join(FOLDER, recording), "utf8").split("\n")) reader.line(line);
    const { output } = reader.end();
    const ask = findAsk(parseAnswer(output), analyse(output, null, { allowedTools: [] }), { progress: true });
    if (ask !== null) kinds.set(ask.kind, [...(kinds.get(ask.kind) ?? []), recording]);
  }
  expect([...kinds.keys()].toSorted()).toEqual(["blocked", "question"]);
  expect(kinds.get("question")?.filter((name) => !name.includes("asks-question"))).toEqual([]);
  expect(kinds.get("question")).toHaveLength(5);
  expect(kinds.get("blocked")?.filter((name) => !/permission|denied|disallowed/.test(name))).toEqual([]);
});
