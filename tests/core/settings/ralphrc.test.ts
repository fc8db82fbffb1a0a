// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the shell is what is tested
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseRalphrc } from "../../../src/core/settings/ralphrc.ts";
import { seed } from "../../seed.ts";

const env = { HOME: "/home/me", SET: "from env", EMPTY: "" };

/** The values of a text, by key; the last one counts. */
function valuesOf(text: string): Record<string, string> {
  const { assignments, problems } = parseRalphrc(text, { env });
  expect(problems).toEqual([]);
  return Object.fromEntries(assignments.map(({ key, value }) => [key, value]));
}

describe("a value in .ralphrc", () => {
  test.each([
    ["A=5", "5"],
    ["  A=5  ", "5"],
    ["export A=5", "5"],
    ["A=", ""],
    ['A=""', ""],
    ["A= # nothing", ""],
    ["A=a#b", "a#b"],
    ["A=#b", "#b"],
    ["A=x # note", "x"],
    ['A="x" # it\'s $(id) here', "x"],
    ["A='a b'", "a b"],
    ["A='$SET ${SET} `id`'", "$SET ${SET} `id`"],
    ['A="a\'b"', "a'b"],
    ['A="say \\"hi\\""', 'say "hi"'],
    ['A="\\\\ \\$SET \\n"', "\\ $SET \\n"],
    ["A=pre\"mid dle\"'post'", "premid dlepost"],
    ["A=a=b", "a=b"],
    ["A=$SET", "from env"],
    ['A="${SET}!"', "from env!"],
    ["A=$UNSET", ""],
    ["A=${UNSET:-x}", "x"],
    ["A=${EMPTY:-x}", "x"],
    ["A=${SET:-x}", "from env"],
    ['A="${UNSET:-two words}"', "two words"],
    ["A=${UNSET:-}", ""],
    ["A=${UNSET:-${EMPTY:-deep}}", "deep"],
    ['A="costs 5$"', "costs 5$"],
    ["A=~/bin", "/home/me/bin"],
    ['A="~/bin"', "~/bin"],
    ["A=a~b", "a~b"],
    ["A=日本", "日本"],
    ["A=${constructor:-own}", "own"],
  ])("%s is %p", (line, value) => expect(valuesOf(line)).toEqual({ A: value }));

  test("may use the lines above it, but the environment wins", () => {
    expect(valuesOf('A=1\nB="$A-${SET:-x}"\nSET=file\nC=$SET')).toMatchObject({ B: "1-from env", C: "from env" });
  });
});

test(".ralphrc may have a BOM, CRLF, comments, blank lines, and no final line end", () => {
  const { assignments } = parseRalphrc('\uFEFF# head\r\n\r\nA=1\r\n  # note\r\nB="x"', { env });
  expect(assignments).toEqual([
    { key: "A", value: "1", line: 3 },
    { key: "B", value: "x", line: 5 },
  ]);
});

describe(".ralphrc refuses", () => {
  test.each([
    ["A = v", "no blanks are allowed around =", "A=v"],
    ["A= v", "no blanks are allowed around =", "A=v"],
    ["A =two words # note", "no blanks are allowed around =", 'A="two words"'],
    ["A=My App", "a value with blanks needs quotes", 'A="My App"'],
    ["A=My App # note", "a value with blanks needs quotes", 'A="My App"'],
    ['A="say "hi you" now"', "a value with blanks needs quotes", `A='say "hi you" now'`],
    [`A="it's "so so" now"`, "a value with blanks needs quotes", `A="it's \\"so so\\" now"`],
    ['A="a b" and "c d"', "a value with blanks needs quotes", `A='"a b" and "c d"'`],
    ["A=(x y)", "an array is shell code; a list is one value", 'A="x,y"'],
    ["A=(\"x\" 'y z')", "an array is shell code; a list is one value", 'A="x,y z"'],
    ["A=($(ls))", "an array is shell code; a list is one value", null],
    ["A=1 B=2", "one line holds one setting", null],
    ["A='1'; B=2", "one line holds one setting", null],
    ["A=1; export B=2", "one line holds one setting", null],
    ["A=$(id)", "$(...) would run a command", null],
    ['A="$(id)"', "$(...) would run a command", null],
    ["A=`id`", "`...` would run a command", null],
    ["A=${UNSET:-$(id)}", "$(...) would run a command", null],
    ["A=5; rm -rf x", "';' begins another command", null],
    ["A=a;b", "';' begins another command", 'A="a;b"'],
    ["A=a&b", "'&' begins another command", 'A="a&b"'],
    ["A=C:\\bin", "a backslash outside quotes is dropped by a shell", "A='C:\\bin'"],
    ["A=x>y", "'>' writes a file", 'A="x>y"'],
    ["A=${B%x}", "of ${...} only ${NAME} and ${NAME:-default} are understood", null],
    ["A=$1", "$1 means something only to a shell", null],
    ["A=${B:-x", "${ is not closed on this line", null],
    ['A="x', 'the quote " is not closed on this line', null],
    ["A='x", "the quote ' is not closed on this line", null],
    ["source other", "only lines of the form KEY=value are read; shell code is not run", null],
    ["if [ -n x ]; then", "only lines of the form KEY=value are read; shell code is not run", null],
    ["A+=b", "only lines of the form KEY=value are read; shell code is not run", null],
    ["return 1", "only lines of the form KEY=value are read; shell code is not run", null],
  ])("the line %s", (line, reason, right) => {
    const { assignments, problems } = parseRalphrc(`# one\n${line}\nZ=1`, { env });
    expect(problems).toEqual([{ line: 2, reason, right }]);
    expect(assignments.map(({ key }) => key)).toEqual(["Z"]);
    if (right !== null) expect(parseRalphrc(right, { env }).problems).toEqual([]);
  });

  test("an array, with the key's own list separator in the correction", () => {
    const { problems } = parseRalphrc('GATES=("npm test" lint)', { env, separatorOf: () => ";" });
    expect(problems[0]?.right).toBe('GATES="npm test;lint"');
  });
});

describe("any .ralphrc", () => {
  const shellish = fc.string({ unit: fc.constantFrom(..."AB=$(){}\"'`\\#;:- \n\r~é") });

  test("gives settings or problems with lines, and every correction is accepted", () => {
    fc.assert(
      fc.property(shellish, (text) => {
        const { assignments, problems } = parseRalphrc(text, { env });
        const lines = text.split("\n").length;
        for (const { line } of [...assignments, ...problems]) expect(line).toBeWithin(1, lines + 1);
        for (const { right } of problems) {
          if (right !== null) expect(parseRalphrc(right, { env }).problems).toEqual([]);
        }
      }),
      { seed, numRuns: 2000 },
    );
  });

  test("reads a text in single quotes back unchanged", () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => !/['\n\r]/.test(value));
    fc.assert(
      fc.property(text, (value) => expect(valuesOf(`A='${value}'`)).toEqual({ A: value })),
      { seed },
    );
  });
});
