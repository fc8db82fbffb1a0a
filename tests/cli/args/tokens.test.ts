import { expect, test } from "bun:test";
import fc from "fast-check";
import { flagTable } from "../../../src/cli/args/flags.ts";
import { type Token, tokenize } from "../../../src/cli/args/tokens.ts";
import { RUN } from "../../../src/cli/definitions/run.ts";
import { seed } from "../../seed.ts";

const table = flagTable(RUN);
const flag = (index: number, spelling: string, value: string | null = null): Token => ({
  kind: "flag",
  index,
  spelling,
  value,
});
const word = (index: number): Token => ({ kind: "word", index });

test.each<[string[], Token[]]>([
  [
    ["--calls", "5", "plan"],
    [flag(0, "--calls"), word(2)],
  ],
  [
    ["-c=5", "plan"],
    [flag(0, "-c", "5"), word(1)],
  ],
  [["--calls=a=b"], [flag(0, "--calls", "a=b")]],
  [["--calls="], [flag(0, "--calls", "")]],
  [
    ["--live", "plan"],
    [flag(0, "--live"), word(1)],
  ],
  [["--live=yes"], [flag(0, "--live", "yes")]],
  [
    ["-calls", "5"],
    [flag(0, "-calls"), word(1)],
  ],
  [["-vq"], [flag(0, "-vq")]],
  [
    ["-5", "-", "- do it", "--5", "next"],
    [word(0), word(1), word(2), word(3), word(4)],
  ],
  [
    ["--task", "- do it", "-l"],
    [flag(0, "--task"), flag(2, "-l")],
  ],
  [
    ["-l", "--", "-l", "--", "x"],
    [flag(0, "-l"), { kind: "end", index: 1 }, word(2), word(3), word(4)],
  ],
])("%j becomes the tokens %j", (argv, tokens) => expect(tokenize(argv, table)).toEqual(tokens));

test("for any words typed, each is a token or the value of the flag before it, in order", () => {
  const typed = fc.oneof(
    fc.constantFrom(...table.keys(), "--", "-", "-5", "--x=1", "-c=1", "plan", ""),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(typed, { maxLength: 8 }), (argv) => {
      const at = tokenize(argv, table).map(({ index }) => index);
      expect(at).toEqual([...new Set(at)].sort((a, b) => a - b));
      for (const [index] of argv.entries()) expect(at.includes(index) || at.includes(index - 1)).toBe(true);
    }),
    { seed },
  );
});
