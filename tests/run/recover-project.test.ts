/** Where a project stands at a start: old files, edited files, a journal that broke off. */
import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { State } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import type { OldFiles } from "../../src/core/state-files/legacy/adopt-legacy.ts";
import { renderStateFiles } from "../../src/core/state-files/render-state-files.ts";
import type { SpendingLedger, World } from "../../src/effects/ports.ts";
import { recoverProject } from "../../src/run/recover-project.ts";
import { NOON, stateOf } from "../core/given.ts";
import { type FakeParts, fakeWorld } from "./fake-world.ts";

const at = new Date(NOON).toISOString();
const ENDED = { reason: "stopped_by_user", exit_code: 0, sentence: "", at } as const;
const ENDED_STATE: Partial<State> = { finished: ENDED, updated_at: at };

async function recovered(parts: FakeParts, driver = "demo", atRoot: OldFiles = {}, ledger?: SpendingLedger) {
  const asides: [readonly string[], boolean][] = [];
  const read: boolean[] = [];
  const { world } = fakeWorld({
    ...parts,
    world: {
      ...parts.world,
      ...(ledger === undefined ? {} : { ledger }),
      moveOldFilesAside: (names, flat) => void asides.push([names, flat]),
      readOldFiles: (flat) => {
        read.push(flat);
        return flat ? { ...parts.oldFiles, ...atRoot } : (parts.oldFiles ?? {});
      },
    },
  });
  return { ...(await recoverProject(world, "0.1.0", driver === "" ? null : { name: driver })), asides, read };
}

const file = (text: string) => ({ text, mtime: NOON });

describe("a project of one of the originals", () => {
  const oldFiles = { ".claude_session_id": file("s1\n"), ".circuit_breaker_state": file("{") };

  test("keeps its session, for the current driver if no file names one", async () => {
    expect((await recovered({ oldFiles }, "codex")).state.session).toMatchObject({ session_id: "s1", driver: "codex" });
  });

  test("used Claude Code if no driver is known", async () => {
    expect((await recovered({ oldFiles }, "")).state.session).toMatchObject({
      session_id: "s1",
      driver: "claude-code",
    });
  });

  test("is found in the flat layout too, and its unreadable files are moved aside", async () => {
    const { asides, read, state } = await recovered({ oldFiles });
    expect(read[0]).toBe(true);
    expect(asides).toEqual([[[".circuit_breaker_state"], true]]);
    expect(state.project).toBe("/project");
  });

  test("is told which files at its root will no longer change, if there are any", async () => {
    const atRoot = { ".call_count": file("0"), "status.json": file("{}") };
    const told = async (root: OldFiles) =>
      (await recovered({ oldFiles: { ".last_reset": file("2026010100") } }, "demo", root)).notes;
    expect(await told(atRoot)).toMatchObject([
      {
        level: "warn",
        text: "The project's root keeps .call_count, status.json as they are: ralph writes its own below .ralph.",
      },
    ]);
    for (const root of [{}, { "status.json": file("{}") }]) expect(await told(root)).toEqual([]);
  });
});

describe("a project that ralph ran in", () => {
  test("has an unreadable state file below .ralph moved aside, with a warning, and what the journal says goes on", async () => {
    const earlier = { ...ENDED_STATE, iterations: 3 };
    const files = renderStateFiles(stateOf({ run: "0001", ...earlier }), { head: null, outputFile: null });
    const oldFiles = Object.fromEntries(
      Object.entries(files).flatMap(([name, text]) => (text === null ? [] : [[name, file(text)]])),
    );
    const { asides, read, notes, state } = await recovered({
      earlier,
      oldFiles: { ...oldFiles, ".circuit_breaker_state": file("{") },
    });
    expect(read).toEqual([false]);
    expect(asides).toEqual([[[".circuit_breaker_state"], false]]);
    expect(notes).toMatchObject([{ type: "note", level: "warn" }]);
    expect(state).toMatchObject({ iterations: 3, breaker: { state: "closed" } });
  });
});

describe("a run that broke off in a call", () => {
  const agent = { pid: 7, group: 7, start_time: "1", marker: "m" };
  const call = { purpose: "main", call: 1, iteration: 2, agent, spent_before: { ...noUsage(), cost_usd: 1 } } as const;
  const earlier: Partial<State> = { call, usage: { ...noUsage(), cost_usd: 4 }, updated_at: at };
  const ledger = (add: SpendingLedger["add"]) => ({ add, spentOn: () => 0 });

  test("has what that call had cost counted on the day of its last event", async () => {
    const spent: [number, number][] = [];
    await recovered(
      { earlier },
      "demo",
      {},
      ledger((when, usd) => void spent.push([when, usd])),
    );
    expect(spent).toEqual([[NOON, 3]]);
  });

  test("has nothing counted again of calls that ended, or of one that told no cost", async () => {
    const spent: number[] = [];
    const adds = ledger((_, usd) => void spent.push(usd));
    await recovered({ earlier: { ...earlier, call: { ...call, agent: null } } }, "demo", {}, adds);
    await recovered({ earlier: { ...earlier, usage: call.spent_before } }, "demo", {}, adds);
    await recovered({ earlier: { ...earlier, finished: ENDED } }, "demo", {}, adds);
    expect(spent).toEqual([]);
  });

  test("is told where the day cannot count it", async () => {
    const full = ledger(() => {
      throw new Error("no room");
    });
    const { notes } = await recovered({ earlier }, "demo", {}, full);
    expect(notes).toContainEqual({
      type: "note",
      level: "warn",
      text: "MAX_COST_PER_DAY will not count this call: no room",
    });
  });

  test("names no moment at which its agent lived where this user never ran: Windows ends what began before it", async () => {
    const seen: (number | null)[] = [];
    const endOrphan = async (_: object, at: number | null) => {
      seen.push(at);
      return [];
    };
    for (const isListed of [true, false]) await recovered({ earlier, world: { endOrphan, isListed: () => isListed } });
    expect(seen).toEqual([NOON, null]);
  });

  describe("that had told no usage yet", () => {
    const withoutUsage: Partial<State> = { call: { ...call, spent_before: noUsage() }, driver: "claude-code" };
    const readFrom = async (earlier: Partial<State>, printed: unknown, driver = "") => {
      const spent: number[] = [];
      const world = { outputEnds: () => ({ head: `${JSON.stringify(printed)}\n`, tail: "" }) };
      const { state } = await recovered(
        { earlier: { updated_at: at, ...earlier, settings: { ESTIMATE_COST: true, ...earlier.settings } }, world },
        driver,
        {},
        ledger((_, usd) => void spent.push(usd)),
      );
      return { usage: state.usage, spent };
    };
    const message = {
      id: "m",
      role: "assistant",
      model: "claude-opus-4-8",
      content: [],
      usage: { input_tokens: 2000 },
    };
    const ofClaude = { type: "assistant", session_id: "s", message };
    const ofCodex = { type: "turn.completed", usage: { input_tokens: 700, cached_input_tokens: 0, output_tokens: 10 } };

    test("has it read from its output by the driver that the journal names, whatever is recovered for", async () => {
      for (const driver of ["", "codex"]) {
        const { usage, spent } = await readFrom(withoutUsage, ofClaude, driver);
        expect(usage).toMatchObject({ input_tokens: 2000, model: "claude-opus-4-8" });
        expect(spent).toEqual([usage.estimated_usd ?? 0]);
        expect(usage.estimated_usd).toBeGreaterThan(0);
      }
    });

    test("has that of a look read by the driver of the look, and priced by its model", async () => {
      const look = { ...call, spent_before: noUsage(), purpose: "look", driver: "codex" } as const;
      const settings = { REVIEW_MODEL: "gpt-5" };
      const { usage, spent } = await readFrom({ ...withoutUsage, call: look, settings }, ofCodex);
      expect(usage).toMatchObject({ input_tokens: 700, output_tokens: 10 });
      expect(spent).toEqual([usage.estimated_usd ?? 0]);
      const unpriced = await readFrom({ ...withoutUsage, call: look, settings: { CLAUDE_MODEL: "gpt-5" } }, ofCodex);
      expect(unpriced.usage).toMatchObject({ input_tokens: 700 });
      expect(unpriced.spent).toEqual([]);
    });

    describe("and whose agent keeps a file of it", () => {
      const inFile = {
        type: "session.usage_record",
        timestamp: at,
        data: { usage: { inputTokens: 70, outputTokens: 5 } },
      };
      const session = { session_id: randomUUID(), driver: "copilot", created_at: at, last_used: at };
      const fromFile = async (about: Partial<State>, usage_from?: number) => {
        const read: [string, number | undefined][] = [];
        const world: Partial<World> = {
          fileSize: () => 9,
          outputEnds: (path, { from }) => {
            if (path.endsWith("/events.jsonl")) read.push([path, from]);
            return { head: path.endsWith("/events.jsonl") ? JSON.stringify(inFile) : "", tail: "" };
          },
        };
        const lost = { ...call, spent_before: noUsage(), ...(usage_from === undefined ? {} : { usage_from }) };
        const earlier = { updated_at: at, driver: "copilot", session, call: lost, ...about };
        return { usage: (await recovered({ earlier, world }, "")).state.usage, read };
      };

      test("has it read there, from where the call began", async () => {
        const { usage, read } = await fromFile({}, 4);
        expect(usage).toMatchObject({ input_tokens: 70, output_tokens: 5 });
        expect(read).toMatchObject([[expect.stringContaining(`/${session.session_id}/`), 4]]);
        expect((await fromFile({ settings: { CLAUDE_OUTPUT_FORMAT: "text" } }, 0)).usage.input_tokens).toBe(70);
      });

      test("has nothing read there that an older ralph began, nor of a look, nor by what is no id of a session", async () => {
        const look = { call: { ...call, spent_before: noUsage(), purpose: "look" as const, usage_from: 0 } };
        const strange = { session: { ...session, session_id: "../../x" } };
        for (const { usage, read } of [await fromFile({}), await fromFile(look), await fromFile(strange, 0)])
          expect([usage, read]).toEqual([noUsage(), []]);
      });
    });

    test("counts nothing by an agent that nobody here can read", async () => {
      const { usage, spent } = await readFrom({ ...withoutUsage, driver: "my-own" }, ofClaude);
      expect([usage, spent]).toEqual([noUsage(), []]);
    });
  });
});
