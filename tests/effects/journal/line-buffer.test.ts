import { expect, test } from "bun:test";
import fc from "fast-check";
import { createLineBuffer } from "../../../src/effects/journal/line-buffer.ts";
import { seed } from "../../seed.ts";

test("the lines are those of JSON, whatever came before, and however long", () => {
  const buffer = createLineBuffer();
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.nat(60_000).map((length) => "ß€😀".repeat(length / 3)),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ text, n: fc.integer() }), { maxLength: 5 }), (values) => {
      const expected = values.map((value) => `${JSON.stringify(value)}\n`).join("");
      expect(buffer.of(values).equals(Buffer.from(expected, "utf8"))).toBe(true);
    }),
    { seed, numRuns: 60 },
  );
});
