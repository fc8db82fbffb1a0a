import { describe, expect, test } from "bun:test";
import { createLog, type Log } from "../../src/cli/log.ts";
import { openLog } from "../../src/cli/open-log.ts";
import { reportError } from "../../src/cli/report-error.ts";
import { RalphError } from "../../src/core/errors.ts";

/** A log, and what it writes to both outputs. */
function logged(make: (outputs: { stdout(text: string): void; stderr(text: string): void }) => Log) {
  const written = { out: "", err: "" };
  const log = make({
    stdout: (text) => {
      written.out += text;
    },
    stderr: (text) => {
      written.err += text;
    },
  });
  return { log, written };
}

const openedFor = (...argv: string[]) => logged((outputs) => openLog(argv, { env: {}, ...outputs }));

const cause = new Error("it broke");
const lost = new RalphError("environment", "The disk is full.", { hint: "Free some space.", cause });

describe("errors", () => {
  test("are told with what to do next, on stderr", () => {
    const { log, written } = openedFor("status");
    expect(reportError(lost, log)).toBe(7);
    expect(written).toEqual({ out: "", err: "ralph: The disk is full.\n  Free some space.\n" });
  });

  test.each([["-v"], ["--verbose"]])("are told with %s together with what is behind them", (flag) => {
    const { log, written } = openedFor("status", flag);
    reportError(lost, log);
    expect(written.err).toStartWith("ralph: The disk is full.\n  Free some space.\nError: it broke\n    at ");
  });

  test("are documents on stdout with --json, and nothing else", () => {
    const { log, written } = openedFor("status", "--json", "-v");
    expect(reportError(lost, log)).toBe(7);
    expect(written).toEqual({
      out: '{"error":{"code":"environment","message":"The disk is full.","hint":"Free some space."}}\n',
      err: "",
    });
  });

  test("that nobody foresaw ask to be reported", () => {
    const { log, written } = openedFor();
    expect(reportError("no error object", log)).toBe(1);
    expect(written.err).toBe(
      "ralph: Something unexpected failed: no error object\n  Run again with -v for details, and report it with them.\n",
    );
  });

  test("of the system are told as what a user can mend, with -v as they are", () => {
    const { log, written } = openedFor("-v");
    expect(reportError(Object.assign(new Error("EROFS: write"), { code: "EROFS" }), log)).toBe(7);
    expect(written.err).toMatch(/^ralph: The file system is read-only: EROFS: write\n {2}.+\nError: EROFS: write\n/);
  });
});

test("a flag behind -- is a word", () => {
  const { log, written } = openedFor("analyze", "--", "--json", "-v", "-q");
  reportError(lost, log);
  log.info("downloading");
  expect(written).toEqual({ out: "", err: "ralph: The disk is full.\n  Free some space.\ndownloading\n" });
});

test.each([["-q"], ["--quiet"]])("%s leaves out what goes on, and nothing else, with -v too", (flag) => {
  const { log, written } = openedFor("run", flag, "-v");
  log.info("downloading");
  log.warn("a setting has no effect");
  log.log("Nothing was written.");
  expect(written.err).toBe("a setting has no effect\nNothing was written.\n");
});

test("warnings are text on stderr with --json too", () => {
  const { log, written } = openedFor("run", "--json");
  log.warn("a setting has no effect");
  expect(written).toEqual({ out: "", err: "a setting has no effect\n" });
});

test("what is said many times is said each time", () => {
  const { log, written } = openedFor();
  for (let time = 0; time < 20; time++) log.warn("again");
  expect(written.err).toBe("again\n".repeat(20));
});

test("a text of lines ends with one line end", () => {
  const { log, written } = openedFor();
  log.log("one\n  two\n");
  expect(written.err).toBe("one\n  two\n");
});

test("only what is behind an error has colours, and only where they are wanted", () => {
  const told = (color: boolean) => {
    const options = { quiet: false, verbose: true, json: false, color };
    const { log, written } = logged((outputs) => createLog({ ...options, ...outputs }));
    reportError(new RalphError("internal", "It broke.", { cause: { at: 5 } }), log);
    return written.err;
  };
  expect(told(true)).toBe("ralph: It broke.\n{ at: \u001b[33m5\u001b[39m }\n");
  expect(told(false)).toBe("ralph: It broke.\n{ at: 5 }\n");
});
