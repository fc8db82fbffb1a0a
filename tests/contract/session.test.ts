/** The sessions of every driver: an id is found in its agent's output, resumed, and dropped when it is refused. */

import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { AgentEvent, CommandRequest, Driver } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { BUILT_IN_DRIVERS } from "../../src/driver-host/registry.ts";
import { shellDecoder } from "../../src/driver-host/shell/shell-decoder.ts";
import { only, recordings } from "../drivers/recordings/recordings.ts";
import { folder, subjects } from "./subjects.ts";

const dir = folder();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const all = await subjects(dir);

function events(driver: Driver, text: string): AgentEvent[] {
  const decoder = driver.decoder?.(decoderKit);
  if (decoder === undefined) throw new Error(`${driver.name} has no decoder`);
  return [...text.split("\n").flatMap((line) => decoder.line(line)), ...decoder.end()];
}

const REQUEST: CommandRequest = {
  binary: ["agent"],
  prompt: "Go on.",
  context: null,
  resume: null,
  newSessionId: "5a4e2c1b-1111-4222-8333-944444444444",
  format: "json",
  partial: false,
  model: null,
  effort: null,
  allowedTools: null,
  permissionMode: "bypassPermissions",
  readOnly: false,
  cwd: dir,
  isGitRepository: true,
};

const recorded = all.flatMap(({ name, driver, recordings: cli }) => (cli === null ? [] : [{ name, driver, cli }]));

describe.each(recorded)("the sessions of $name", ({ driver, cli }) => {
  const runs = recordings(cli).map(({ name, bytes }) => ({ name, text: bytes.toString() }));

  test("can be resumed by every id in a recording", () => {
    const ids = runs.flatMap(({ text }) => only(events(driver, text), "session_id").map((event) => event.session_id));
    for (const id of new Set(ids)) {
      expect(isSessionId(driver, id)).toBe(true);
      expect(driver.buildCommand({ ...REQUEST, resume: id }).argv.some((word) => word.includes(id))).toBe(true);
    }
  });

  test("have an id in most recordings", () => {
    const withId = runs.filter(({ text }) => only(events(driver, text), "session_id").length > 0);
    expect(withId.length).toBeGreaterThan(runs.length / 3);
  });

  test("never have two different ids in one recording", () => {
    const doubtful = runs.filter(({ text }) => {
      const ids = only(events(driver, text), "session_id").map((event) => event.session_id);
      return new Set(ids).size > 1;
    });
    expect(doubtful.map(({ name }) => name)).toEqual([]);
  });
});

type Extraction = {
  id: string;
  case: { inputs: { text?: string }[] };
  expected: { ours: { rule: string; expect: { iterations?: { session_id?: string | null }[] } } };
};
const cases = readFileSync(join(import.meta.dirname, "../conformance/data/session-extraction/cases.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): Extraction => JSON.parse(line))
  .filter(
    ({ expected }) => expected.ours.rule !== "free" && "session_id" in (expected.ours.expect.iterations?.[0] ?? {}),
  );

describe("a bash driver without session hooks", () => {
  test("has more than 10 session cases", () => expect(cases.length).toBeGreaterThan(10));

  test.each(cases)("finds the session id of $id", ({ case: { inputs }, expected }) => {
    const decoder = shellDecoder(decoderKit, { own: null, known: BUILT_IN_DRIVERS, filter: null });
    const text = inputs[0]?.text ?? "";
    const found = [...text.split(/\r?\n/).flatMap((line) => decoder.line(line)), ...decoder.end()];
    const id = only(found, "session_id").at(-1)?.session_id ?? null;
    expect(id).toBe(expected.ours.expect.iterations?.[0]?.session_id ?? null);
  });
});
