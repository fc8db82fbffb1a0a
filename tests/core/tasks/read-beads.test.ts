import { describe, expect, test } from "bun:test";
import { changedLines, done, listOf, ready, waits } from "./list-of.ts";

type Fields = Record<string, unknown>;
const PATH = ".beads/issues.jsonl";
const bead = (id: string, more: Fields = {}): Fields => ({
  id,
  title: `Title ${id}`,
  status: "open",
  priority: 2,
  issue_type: "task",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  ...more,
});
const needs = (id: string, type = "blocks") => ({ depends_on_id: id, type, created_at: "2026-01-01T00:00:00Z" });
const file = (...beads: Fields[]) => beads.map((one) => `${JSON.stringify(one)}\n`).join("");

describe("a list of beads", () => {
  test("goes by what blocks an issue or its parent, the most urgent first", () => {
    const list = listOf(
      PATH,
      file(
        bead("bd-1", { issue_type: "epic", dependencies: [needs("bd-9")] }),
        bead("bd-1.1", { dependencies: [needs("bd-1", "parent-child")] }),
        bead("bd-1.2", { dependencies: [needs("bd-1", "parent-child"), needs("bd-1.1")] }),
        bead("bd-2", { dependencies: [needs("bd-1"), needs("bd-3", "related"), needs("bd-gone")] }),
        bead("bd-3", { priority: 0 }),
        bead("bd-9", { priority: 1 }),
      ),
    );
    expect([list.source.form, list.faults]).toEqual(["beads", []]);
    expect(waits(list)).toEqual({
      "bd-3": [],
      "bd-9": [],
      "bd-1.1": ["bd-9"],
      "bd-1.2": ["bd-1.1", "bd-9"],
      "bd-2": ["bd-1.1", "bd-1.2"],
    });
    expect(ready(list)).toEqual(["bd-3", "bd-9"]);
    expect(list.tasks.find(({ name }) => name === "bd-1.1")?.section).toBe("Title bd-1");
  });

  test("offers what is open, and neither what is deferred, in work, pinned, a gate, word to an agent, nor what was deleted", () => {
    const list = listOf(
      PATH,
      file(
        { _schema: "beads-jsonl/1", _sort: "stable-v1" },
        { _type: "memory", id: "m1", title: "Memory" },
        bead("bd-1", { status: "in_progress" }),
        bead("bd-2", { status: "deferred" }),
        bead("bd-3", { defer_until: "2027-01-01T00:00:00Z" }),
        bead("bd-4", { defer_until: "2026-01-01T00:00:00Z" }),
        bead("bd-5", { status: "tombstone" }),
        bead("bd-6", { issue_type: "gate" }),
        bead("bd-7", { issue_type: "message" }),
        bead("bd-8", { ephemeral: true }),
        bead("bd-9", { dependencies: [needs("bd-6")] }),
      ),
    );
    expect(ready(list)).toEqual(["bd-4"]);
    expect(Object.fromEntries(list.tasks.map(({ name, held }) => [name, held]))).toEqual({
      "bd-1": "in_progress",
      "bd-2": "deferred",
      "bd-3": "deferred",
      "bd-4": undefined,
      "bd-6": "gate",
      "bd-9": undefined,
    });
  });

  test("has the later line of an issue", () => {
    const text = file(
      bead("bd-1"),
      bead("bd-2", { dependencies: [needs("bd-1")] }),
      bead("bd-1", { status: "closed", closed_at: "x" }),
    );
    expect(ready(listOf(PATH, text))).toEqual(["bd-2"]);
  });

  test("has one line changed where an issue is closed, with the times that an import asks for", () => {
    const text = `\uFEFF${file(bead("bd-1", { description: 'a "status":"open" text' }), bead("bd-2")).replaceAll("\n", "\r\n")}`;
    const changed = changedLines(text, done(PATH, text, "bd-1"));
    expect(changed).toHaveLength(1);
    const now = "2026-08-01T12:00:00.000Z";
    expect(JSON.parse(changed[0]?.[1].slice(1) ?? "")).toEqual(
      bead("bd-1", { description: 'a "status":"open" text', status: "closed", updated_at: now, closed_at: now }),
    );
  });
});

test("an issue says all that it asks for; a parent that is no epic is work too, and one that is deferred holds its children back", () => {
  const list = listOf(
    PATH,
    file(
      bead("bd-3", { priority: 3 }),
      bead("bd-1", {
        priority: undefined,
        description: "D",
        design: "G",
        acceptance_criteria: "A",
        notes: "N",
        spec_id: "S",
      }),
      bead("bd-0", { priority: 1 }),
      bead("bd-4", { priority: 4, defer_until: "2027-01-01T00:00:00Z" }),
      bead("bd-4.1", { priority: 4, dependencies: [needs("bd-4", "parent-child")] }),
      bead("bd-4.1.1", { priority: 4, dependencies: [needs("bd-4.1", "parent-child")] }),
    ),
  );
  expect(list.tasks.map(({ name, held, section }) => [name, held, section])).toEqual([
    ["bd-0", undefined, null],
    ["bd-1", undefined, null],
    ["bd-3", undefined, null],
    ["bd-4", "deferred", null],
    ["bd-4.1", "deferred", "Title bd-4"],
    ["bd-4.1.1", "deferred", "Title bd-4.1"],
  ]);
  expect(list.tasks[1]?.details).toEqual(["> D", "> Design: G", "> Acceptance criteria: A", "> Notes: N", "> Spec: S"]);
  expect(list.tasks.some(({ optional }) => optional)).toBe(false);
});
