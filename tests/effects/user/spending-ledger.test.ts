import { beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dayOf } from "../../../src/core/money/spending.ts";
import { spendingLedger } from "../../../src/effects/user/spending-ledger.ts";
import { testFolders } from "../../folders.ts";

let home = "";
const newFolder = testFolders("spending");
beforeEach(() => {
  home = newFolder();
});

const host = () => ({ platform: "linux" as const, env: {}, home });
const noon = new Date(2026, 10, 22, 12).getTime();
const DAY = 86_400_000;
const folder = () => join(home, ".local", "state", "ralph", "spending");

test("runs of any project add to the same local day, and other days are apart", () => {
  spendingLedger(host()).add(noon, 1.5);
  spendingLedger(host()).add(noon + 60_000, 0.25);
  spendingLedger(host()).add(noon + DAY, 9);
  expect(spendingLedger(host()).spentOn(dayOf(noon))).toBe(1.75);
  expect(spendingLedger(host()).spentOn("2020-01-01")).toBe(0);
  expect(readdirSync(folder())).toEqual(["2026-11.jsonl"]);
});

test("a line that a killed run left half written costs nothing and hides nothing", () => {
  const ledger = spendingLedger(host());
  ledger.add(noon, 1);
  appendFileSync(join(folder(), "2026-11.jsonl"), '{"day":"2026-11-22","us\n{"day":"2026-11-22","usd":"x"}\n');
  ledger.add(noon, 2);
  expect(ledger.spentOn("2026-11-22")).toBe(3);
});

test("a line that a full disk cut off takes none of those after it with it", () => {
  const ledger = spendingLedger(host());
  ledger.add(noon, 1);
  appendFileSync(join(folder(), "2026-11.jsonl"), '{"day":"2026-11-22","us');
  ledger.add(noon, 2);
  ledger.add(noon, 4);
  expect(ledger.spentOn("2026-11-22")).toBe(7);
});

test("a ledger that cannot be read or written is told, with its path", () => {
  mkdirSync(join(folder(), "2026-11.jsonl"), { recursive: true });
  expect(() => spendingLedger(host()).spentOn("2026-11-22")).toThrow("2026-11.jsonl cannot be read");
  expect(() => spendingLedger(host()).add(noon, 1)).toThrow("2026-11.jsonl cannot be written");
});

test("XDG_STATE_HOME moves it, unless it is relative", () => {
  const moved = { ...host(), env: { XDG_STATE_HOME: join(home, "state") } };
  spendingLedger(moved).add(noon, 1);
  expect(readdirSync(join(home, "state", "ralph", "spending"))).toHaveLength(1);
  spendingLedger({ ...host(), env: { XDG_STATE_HOME: "state" } }).add(noon, 1);
  expect(readdirSync(folder())).toHaveLength(1);
});

test("a file in the place of its folder is told", () => {
  mkdirSync(join(home, ".local", "state"), { recursive: true });
  writeFileSync(join(home, ".local", "state", "ralph"), "");
  expect(() => spendingLedger(host()).add(noon, 1)).toThrow("cannot be written");
});
