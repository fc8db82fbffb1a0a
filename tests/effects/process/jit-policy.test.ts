import { expect, test } from "bun:test";
import { compileAfterStart, type JitPolicy } from "../../../src/effects/process/jit-policy.ts";

/** What is done later. */
function putOff(runtime: JitPolicy) {
  const later: { action: () => void; ms: number }[] = [];
  compileAfterStart(runtime, (action, ms) => later.push({ action, ms }));
  return later;
}

test("compiles as usual once the start is over, not before", () => {
  const told: number[] = [];
  const later = putOff({ Bun: { unsafe: { setJITPolicy: (scale) => told.push(scale) } } });
  expect(told).toEqual([]);
  expect(later).toMatchObject([{ ms: 50 }]);
  for (const { action } of later) action();
  expect(told).toEqual([1]);
});

test.each([
  ["another runtime", {}],
  ["a Bun without it", { Bun: {} }],
  ["a Bun without that call", { Bun: { unsafe: {} } }],
])("leaves %s alone", (_, runtime) => expect(putOff(runtime)).toEqual([]));
