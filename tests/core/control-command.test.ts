import { expect, test } from "bun:test";
import { parseControl } from "../../src/core/control-command.ts";

test.each<[number, boolean]>([
  [0, false],
  [1, true],
  [1000, true],
  [1001, false],
  [1.5, false],
])("a bound raised by %p iterations is understood: %p", (iterations, understood) => {
  const text = JSON.stringify({ run: "r", command: { command: "extend", iterations } });
  expect(parseControl(text, "r") !== null).toBe(understood);
});
