import { expect, test } from "bun:test";
import { BUILT_IN, BUILT_IN_NAMES, builtIn } from "../../src/driver-host/registry.ts";

test.each([...BUILT_IN_NAMES])("the driver %s is found by its name", (name) => {
  expect(builtIn(name)).toMatchObject({ driver: { name }, source: "built-in" });
});

test("no other name is one, and no two are the same", () => {
  expect([builtIn("claude_code"), builtIn("")]).toEqual([null, null]);
  expect(new Set(BUILT_IN_NAMES).size).toBe(BUILT_IN.length);
});
