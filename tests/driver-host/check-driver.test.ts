import { describe, expect, test } from "bun:test";
import type { CommandRequest, DecoderKit, Driver } from "../../src/driver.ts";
import { findDriverProblems } from "../../src/driver-host/check-driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { makeSafeDriver } from "../../src/driver-host/safe-driver.ts";

const whole = { name: "a", displayName: "A", cliBinary: "a", validTools: [], buildCommand: () => ({ argv: ["a"] }) };
const request = {} as CommandRequest;

describe("what keeps a value from being a driver", () => {
  test.each<[string, unknown, string[]]>([
    ["nothing, if it has the five", whole, []],
    [
      "nothing, if it is an instance of a class",
      new (class {
        name = "a";
        displayName = "A";
        cliBinary = () => "a";
        validTools = ["x"];
        buildCommand() {
          return { argv: ["a"] };
        }
      })(),
      [],
    ],
    ["that it is none", null, ["the default export must be an object, not null"]],
    ["that it is a list", [], ["the default export must be an object, not an array"]],
    ["that it is nothing", undefined, ["the default export must be an object, not undefined"]],
    [
      "members that are missing",
      { name: "a" },
      ["displayName is missing", "cliBinary is missing", "validTools is missing", "buildCommand is missing"],
    ],
    ["a name that is none", { ...whole, name: "My Agent" }, ['name must be a short lower-case name, not "My Agent"']],
    ["a name that is a path", { ...whole, name: "../x" }, ['name must be a short lower-case name, not "../x"']],
    ["an empty text", { ...whole, displayName: " " }, ['displayName must be a text that is not empty, not " "']],
    [
      "tools that are no texts",
      { ...whole, validTools: ["a", 1] },
      ["validTools must be an array of texts, not an array"],
    ],
    ["a decoder that is no function", { ...whole, decoder: {} }, ["decoder must be a function, not object"]],
    ["a switch that is a word", { ...whole, experimental: "no" }, ['experimental must be true or false, not "no"']],
    [
      "a version that is a word",
      { ...whole, minVersion: "new" },
      ['minVersion must be a version as in 1.2.3, not "new"'],
    ],
    [
      "session ids that are neither a kind nor a pattern",
      { ...whole, sessionIds: "UUID" },
      ['sessionIds must be "uuid" or a regular expression, not "UUID"'],
    ],
    ["a mistyped member", { ...whole, decodr() {} }, ["decodr is not a member of a driver. Did you mean decoder?"]],
    ["nothing, if it has something of its own", { ...whole, zebra: 1 }, []],
  ])("%s", (_, value, expected) => expect(findDriverProblems(value)).toEqual(expected));
});

describe("a driver of somebody else's", () => {
  const guarded = (more: object) => makeSafeDriver({ ...whole, ...more } as Driver, "/x/a.ts");
  const read = (decoder: object) => {
    const { line, end } = guarded({ decoder: () => decoder }).decoder?.(decoderKit as DecoderKit) ?? {
      line: () => [],
      end: () => [],
    };
    return [...line("x"), ...end()];
  };

  test("keeps its own this", () => {
    class Own {
      name = "a";
      displayName = "A";
      cliBinary = "a";
      validTools = [];
      private flag = "--x";
      buildCommand() {
        return { argv: ["a", this.flag] };
      }
    }
    expect(makeSafeDriver(new Own(), "/x/a.ts").buildCommand(request)).toEqual({ argv: ["a", "--x"] });
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no argv", {}],
    ["an empty argv", { argv: [] }],
    ["words that are none", { argv: ["a", 1] }],
    ["a stdin that is none", { argv: ["a"], stdin: 1 }],
    ["variables that are none", { argv: ["a"], env: { A: 1 } }],
  ])("is refused a command that is %s, by name", (_, command) => {
    expect(() => guarded({ buildCommand: () => command }).buildCommand(request)).toThrow(
      "/x/a.ts did not return a command",
    );
  });

  test("is told all that a decoder may know of the call", () => {
    const facts = { resume: "s", used: decoderKit.emptyUsage() };
    const given: unknown[] = [];
    const own = { line: () => [], end: (stderr: unknown) => [given.push(stderr)] };
    const decoder = guarded({
      decoder: (...all: unknown[]) => {
        given.push(...all);
        return own;
      },
    }).decoder?.(decoderKit, facts);
    decoder?.end(["why"]);
    expect(given).toEqual([decoderKit, facts, ["why"]]);
  });

  test("costs the line when its decoder throws or gives no events", () => {
    const fail = () => {
      throw new Error("oops");
    };
    expect(read({ line: fail, end: () => [] })).toEqual([
      { type: "unknown", name: "a line that the driver could not read (oops)" },
    ]);
    expect(read({ line: () => null, end: () => [{ type: "ignored" }, 7] })).toEqual([
      { type: "unknown", name: expect.stringContaining("no list") },
      { type: "ignored" },
      { type: "unknown", name: expect.stringContaining("without a type") },
    ]);
  });
});
