import { expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import { BUILT_IN, findDriver } from "../../src/drivers/registry.ts";

test.each(BUILT_IN.map(({ name }) => name))("the driver %s is found by its name", (name) => {
  expect(findDriver(name)).toMatchObject({ driver: { name }, source: "built-in" });
});

test("an unknown name is refused with the list and the nearest one", () => {
  const find = () => findDriver("claude_code");
  expect(find).toThrow(RalphError);
  expect(find).toThrow(/no driver called "claude_code"\. Did you mean claude-code\?/);
  expect(new Set(BUILT_IN.map(({ name }) => name)).size).toBe(BUILT_IN.length);
});
