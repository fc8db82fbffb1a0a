import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIST_PRICES } from "../../../src/core/money/prices.ts";
import { readPrices } from "../../../src/effects/user/price-file.ts";
import { testFolders } from "../../folders.ts";

let home = "";
const newFolder = testFolders("prices");
beforeEach(() => {
  home = newFolder();
});

const host = () => ({ platform: "linux" as const, env: {}, home });

function write(text: string): void {
  mkdirSync(join(home, ".config", "ralph"), { recursive: true });
  writeFileSync(join(home, ".config", "ralph", "prices.json"), text);
}

test("without a file of the user the list prices hold", () => {
  expect(readPrices(host())).toBe(LIST_PRICES);
});

test("the user's prices come before the list's, and the others stay", () => {
  const mine = { input: 0, output: 1, cache_write: 2, cache_read: 3 };
  write(`\uFEFF${JSON.stringify({ "my-model": mine, "gpt-5": mine })}`);
  expect(readPrices(host())).toEqual({ ...LIST_PRICES, "my-model": mine, "gpt-5": mine });
});

test.each(['{"gpt-5": {"input": 1}}', '{"gpt-5": {"input": -1, "output": 1, "cache_write": 1, "cache_read": 1}}', "{"])(
  "prices that cannot be used stop the start, with their place: %s",
  (text) => {
    write(text);
    expect(() => readPrices(host())).toThrow("prices.json cannot be read");
  },
);
