import { describe, expect, test } from "bun:test";
import type { AgentEvent, CommandRequest, DecoderKit, Driver, Host } from "../../src/driver.ts";
import { findDriverProblems } from "../../src/driver-host/check-driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { loadTs } from "../../src/driver-host/load-ts.ts";
import { makeSafeDriver, type UnreadLine } from "../../src/driver-host/safe-driver.ts";

const whole = { name: "a", displayName: "A", cliBinary: "a", validTools: [], buildCommand: () => ({ argv: ["a"] }) };
const request = {} as CommandRequest;

describe("findDriverProblems", () => {
  test.each<[string, unknown, string[]]>([
    ["accepts the five required members", whole, []],
    [
      "accepts an instance of a class",
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
    ["rejects null", null, ["the default export must be an object, not null"]],
    ["rejects a list", [], ["the default export must be an object, not an array"]],
    ["rejects a promise", Promise.resolve(whole), ["the default export must be an object, not a promise"]],
    ["rejects undefined", undefined, ["the default export must be an object, not undefined"]],
    [
      "lists missing members",
      { name: "a" },
      [
        "displayName is missing: it must be a text that is not empty",
        "cliBinary is missing: it must be a text or a function",
        "validTools is missing: it must be an array of texts",
        "buildCommand is missing: it must be a function",
      ],
    ],
    [
      "rejects a name with blanks",
      { ...whole, name: "My Agent" },
      ['name must be a short lower-case name, not "My Agent"'],
    ],
    ["rejects a path as a name", { ...whole, name: "../x" }, ['name must be a short lower-case name, not "../x"']],
    [
      "rejects an empty text",
      { ...whole, displayName: " " },
      ['displayName must be a text that is not empty, not " "'],
    ],
    [
      "rejects tools that are not texts",
      { ...whole, validTools: ["a", 1] },
      ["validTools must be an array of texts, not an array"],
    ],
    ["rejects a decoder that is not a function", { ...whole, decoder: {} }, ["decoder must be a function, not object"]],
    ["rejects a word for a switch", { ...whole, experimental: "no" }, ['experimental must be true or false, not "no"']],
    [
      "rejects a word for a version",
      { ...whole, minVersion: "new" },
      ['minVersion must be a version as in 1.2.3, not "new"'],
    ],
    [
      "rejects session ids that are neither a kind nor a pattern",
      { ...whole, sessionIds: "UUID" },
      ['sessionIds must be "uuid" or a regular expression, not "UUID"'],
    ],
    [
      "suggests the name for a mistyped member",
      { ...whole, decodr() {} },
      ["decodr is not a member of a driver. Did you mean decoder?"],
    ],
    ["accepts an additional member", { ...whole, zebra: 1 }, []],
  ])("%s", (_, value, expected) => expect(findDriverProblems(value)).toEqual(expected));
});

describe("a user's driver", () => {
  const guarded = (more: object, patienceMs?: number) =>
    makeSafeDriver({ ...whole, ...more } as Driver, "/x/a.ts", patienceMs);
  const unread = (name: string): AgentEvent => ({ type: "unknown", name, unread: true }) as UnreadLine;
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
    ["a command without argv", {}],
    ["an empty argv", { argv: [] }],
    ["words that are not strings", { argv: ["a", 1] }],
    ["a stdin that is not text", { argv: ["a"], stdin: 1 }],
    ["variables that are not texts", { argv: ["a"], env: { A: 1 } }],
  ])("cannot return %s as its command: the error names the file", (_, command) => {
    expect(() => guarded({ buildCommand: () => command }).buildCommand(request)).toThrow(
      "/x/a.ts did not return a command",
    );
  });

  test("is guarded in the version that is installed as well", () => {
    const old = { ...whole, name: "old", buildCommand: () => ({}) };
    const { forVersion } = guarded({ forVersion: () => old });
    expect(forVersion?.("0.1.0").name).toBe("old");
    expect(() => forVersion?.("0.1.0").buildCommand(request)).toThrow("/x/a.ts did not return a command");
    expect(() => guarded({ forVersion: () => ({ name: "old" }) }).forVersion?.("0.1.0")).toThrow(
      "forVersion of the driver /x/a.ts did not return a driver: displayName is missing",
    );
  });

  test("has no usage file where it names none, whatever it says instead", () => {
    const host = {} as Host;
    const fail = () => {
      throw new Error("oops");
    };
    const says: [unknown, string[]][] = [
      [() => ["/a", 1, null], ["/a"]],
      [() => "/a", []],
      [fail, []],
    ];
    for (const [usageFiles, paths] of says) expect(guarded({ usageFiles }).usageFiles?.(host, "s")).toEqual(paths);
    expect("usageFiles" in guarded({})).toBe(false);
  });

  test("receives the facts of the call in its decoder", () => {
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

  test("loses only the line when its decoder throws or returns no events", () => {
    const fail = () => {
      throw new Error("oops");
    };
    expect(read({ line: fail, end: () => [] })).toEqual([
      unread(expect.stringMatching(/^a line that the driver \/x\/a\.ts could not read \(oops\)$/)),
    ]);
    expect(read({ line: () => null, end: () => [{ type: "ignored" }, 7] })).toEqual([
      unread(expect.stringContaining("no list")),
      { type: "ignored" },
      unread(expect.stringContaining("without a type")),
    ]);
  });

  test.each<[object, string]>([
    [{ type: "text" }, "its text event has no text"],
    [{ type: "partial", text: 5 }, "text of its partial event is not a text"],
    [{ type: "finished", ok: true, text: 5 }, "text of its finished event is not a text"],
    [{ type: "finished", text: "a" }, "its finished event has no ok"],
    [{ type: "tool_result", tool_use_id: "a", is_error: false }, "its tool_result event has no content"],
    [
      { type: "tool_use", tool_id: "a", tool: "Other", name: "x", input: "y" },
      "input of its tool_use event is not an object",
    ],
    [{ type: "session_id", session_id: 7 }, "session_id of its session_id event is not a text"],
    [{ type: "error", message: "a", class: "odd" }, 'class of its error event is not one of "auth"'],
    [
      { type: "rate_limited", kind: "usage_limit", message: "m", resets_at: "never" },
      "resets_at of its rate_limited event is not a time as time(value) gives it",
    ],
    [{ type: "denied", tool: null }, "its denied event has no tool"],
    [{ type: "finnished", ok: true }, "it gave an event of the type finnished, which there is not"],
    [{ type: "toString" }, "it gave an event of the type toString, which there is not"],
  ])("loses only the event that is not whole: %j", (event, why) => {
    const said: AgentEvent = { type: "text", text: "said" };
    expect(read({ line: () => [event, said], end: () => [] })).toEqual([unread(expect.stringContaining(why)), said]);
  });

  test("may leave out of an event what is not known, and gives nothing that no journal could hold", () => {
    const input: Record<string, unknown> = { big: 1n };
    const tool = { type: "tool_use", tool_id: "a", tool: "Other", name: "x", input };
    expect(read({ line: () => [{ type: "finished", ok: true }], end: () => [tool] })).toEqual([
      { type: "finished", ok: true, text: null, duration_ms: null, cost_usd: null },
      unread(expect.stringContaining("a line that the driver /x/a.ts could not read")),
    ]);
  });

  test("that throws is named, with its member and file", async () => {
    const fail = () => {
      throw new Error("oops");
    };
    const own = guarded({ decoder: fail, preflight: fail, checkAvailable: async () => fail(), buildCommand: fail });
    const said = (member: string) => `${member} of the driver /x/a.ts failed: oops`;
    expect(() => own.decoder?.(decoderKit)).toThrow(said("decoder"));
    expect(() => own.preflight?.({} as Host, request)).toThrow(said("preflight"));
    expect(() => own.buildCommand(request)).toThrow(said("buildCommand"));
    await expect(own.checkAvailable?.({} as Host)).rejects.toThrow(said("checkAvailable"));
  });

  test("answers with a text or nothing where a text is asked for", async () => {
    const own = guarded({ preflight: () => 5, extractSessionId: () => undefined, fallbackSessionId: async () => ({}) });
    expect(() => own.preflight?.({} as Host, request)).toThrow(
      "preflight of the driver /x/a.ts did not return a text or null (it gave: number)",
    );
    expect(own.extractSessionId?.("")).toBeNull();
    await expect(own.fallbackSessionId?.("", {} as Host, [])).rejects.toThrow(
      "fallbackSessionId of the driver /x/a.ts",
    );
  });

  test("gives no promise where its answer is needed at once, and no rejection that nobody awaits", () => {
    const late = async () => {
      throw new Error("oops");
    };
    const own = guarded({ cliBinary: late, buildCommand: late, decoder: late, preflight: late, forVersion: late });
    const gave = (member: string) => new RegExp(`^${member} of the driver /x/a.ts did not return .*a promise`);
    expect(() => (own.cliBinary as (host: Host) => string)({} as Host)).toThrow(gave("cliBinary"));
    expect(() => own.buildCommand(request)).toThrow(gave("buildCommand"));
    expect(() => own.decoder?.(decoderKit)).toThrow(gave("decoder"));
    expect(() => own.preflight?.({} as Host, request)).toThrow(gave("preflight"));
    expect(() => own.forVersion?.("1.0.0")).toThrow(gave("forVersion"));
  });

  test("is not waited for without end", async () => {
    const never = () => new Promise(() => {});
    const own = guarded({ checkAvailable: never, fallbackSessionId: never, listModels: never }, 1);
    const said = (member: string) => `${member} of the driver /x/a.ts gave no answer in 0.001 s.`;
    await expect(own.checkAvailable?.({} as Host)).rejects.toThrow(said("checkAvailable"));
    await expect(own.fallbackSessionId?.("", {} as Host, [])).rejects.toThrow(said("fallbackSessionId"));
    await expect(own.listModels?.({} as Host, [])).rejects.toThrow(said("listModels"));
    const loads = loadTs("/x/a.ts", () => new Promise(() => {}), 1);
    await expect(loads).rejects.toThrow("The driver /x/a.ts was not loaded in 0.001 s.");
  });

  test.each([
    { copies: "/x" },
    { guarded: {} },
    { guarded: [{ folder: 3, keeps: [], anew: [] }] },
    { guarded: [{ folder: "/x", keeps: [] }] },
  ])("names no needs of a sandbox that are none: %j", (more) => {
    const needs = { domains: [], state: [], fixed: [], env: [], ...more };
    expect(() => guarded({ sandbox: () => needs }).sandbox?.({} as Host)).toThrow(
      "sandbox of the driver /x/a.ts did not return",
    );
  });

  test("cannot make a command of its live form that is none", () => {
    const own = guarded({ prepareLiveCommand: () => ({ argv: 5 }) });
    expect(() => own.prepareLiveCommand?.({ argv: ["a"] })).toThrow("/x/a.ts did not return a command");
  });

  test("that throws is named with the line, and is for the user to mend", () => {
    const oops = new TypeError("oops");
    oops.stack = "TypeError: oops\n  at inner (/x/b.ts:3:1)\n  at buildCommand (C:\\x\\a.ts:12:7)\n  at /x/a.ts:40:2";
    const own = guarded({
      buildCommand: () => {
        throw oops;
      },
    });
    try {
      own.buildCommand(request);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: "environment",
        message: "buildCommand of the driver /x/a.ts:12 failed: oops",
        hint: expect.stringContaining("ralph drivers test /x/a.ts"),
      });
    }
  });

  test("in a folder with blanks in its name is named as a shell takes it", () => {
    const own = makeSafeDriver({ ...whole, buildCommand: () => 5 } as unknown as Driver, "/my own/a.ts");
    try {
      own.buildCommand(request);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ hint: expect.stringMatching(/: ralph drivers test "\/my own\/a\.ts"$/) });
    }
  });

  test.each<[string, unknown, string]>([
    ["cliBinary", 5, "a text"],
    ["cliBinary", null, "a text"],
    ["permissionDenialHelp", 5, "a text or null"],
    ["decoder", 7, "{ line(text), end(stderr) }"],
    ["decoder", { line: () => [] }, "{ line(text), end(stderr) }"],
    ["sandbox", { domains: [] }, "{ domains, state, fixed, env }"],
    ["sandbox", { domains: [], state: [], fixed: [], env: "A" }, "{ domains, state, fixed, env }"],
    ["listModels", [{}], "a list of { id, label, is_default }"],
  ])("whose %s gives %j is told what it must give", (member, value, wanted) => {
    const own = guarded({ [member]: () => value }) as unknown as Record<string, () => unknown>;
    expect(() => own[member]?.()).toThrow(`${member} of the driver /x/a.ts did not return ${wanted}`);
  });

  test("gives models and needs as they are", async () => {
    const needs = { domains: ["a"], state: [], fixed: [], env: [] };
    const models = [{ id: "a", label: null, is_default: true }];
    const own = guarded({ sandbox: () => needs, listModels: async () => models });
    expect(own.sandbox?.({} as Host)).toEqual(needs);
    expect(await own.listModels?.({} as Host, [])).toEqual(models);
    expect(await guarded({ listModels: async () => null }).listModels?.({} as Host, [])).toBeNull();
  });
});
