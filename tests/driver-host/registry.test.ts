import { expect, test } from "bun:test";
import { BUILT_IN_DRIVERS, BUILT_IN_NAMES, findBuiltIn } from "../../src/driver-host/registry.ts";

test.each([...BUILT_IN_NAMES])("the driver %s is found by its name", (name) => {
  expect(findBuiltIn(name)).toMatchObject({ driver: { name }, source: "built-in" });
});

test("the agents of all originals are built in, and the demo's", () => {
  expect(BUILT_IN_NAMES).toEqual(["claude-code", "codex", "opencode", "copilot", "cursor", "demo"]);
});

test("no other name finds a built-in driver, and all names differ", () => {
  expect([findBuiltIn("claude_code"), findBuiltIn("")]).toEqual([null, null]);
  expect(new Set(BUILT_IN_NAMES).size).toBe(BUILT_IN_DRIVERS.length);
});
