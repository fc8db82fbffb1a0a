import { describe, expect, test } from "bun:test";
import { createLog, type Log } from "../../src/cli/log.ts";
import { openLog } from "../../src/cli/open-log.ts";
import { reportError } from "../../src/cli/report-error.ts";
import { RalphError } from "../../src/core/errors.ts";

/** A log, with all text that it writes to both outputs. */
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

describe("a reported error", () => {
  test("goes to stderr with the next step", () => {
    const { log, written } = openedFor("status");
    expect(reportError(lost, log)).toBe(7);
    expect(written).toEqual({ out: "", err: "ralph: The disk is full.\n  Free some space.\n" });
  });

  test.each([["-v"], ["--verbose"]])("shows its cause with %s", (flag) => {
    const { log, written } = openedFor("status", flag);
    reportError(lost, log);
    expect(written.err).toStartWith("ralph: The disk is full.\n  Free some space.\nError: it broke\n    at ");
  });

  test("has no control character in its JSON either, and reads as it was", () => {
    const { log, written } = openedFor("status", "--json");
    const message = "No \u009b2J \u202e folder \u001b[2J.";
    reportError(new RalphError("environment", message), log);
    expect(written.out).toContain("No \\u009b2J \\u202e folder \\u001b[2J.");
    expect(JSON.parse(written.out).error.message).toBe(message);
  });

  test("is a JSON document on stdout with --json, and stderr stays empty", () => {
    const { log, written } = openedFor("status", "--json", "-v");
    expect(reportError(lost, log)).toBe(7);
    expect(written).toEqual({
      out: '{"error":{"code":"environment","message":"The disk is full.","hint":"Free some space."}}\n',
      err: "",
    });
  });

  test("of an unexpected kind asks the user to report it", () => {
    const { log, written } = openedFor();
    expect(reportError("no error object", log)).toBe(1);
    expect(written.err).toBe(
      "ralph: Something unexpected failed: no error object\n  Run again with -v for details, and report it with them.\n",
    );
  });

  test("of the system names what the user can fix, and shows the original with -v", () => {
    const { log, written } = openedFor("-v");
    expect(reportError(Object.assign(new Error("EROFS: write"), { code: "EROFS" }), log)).toBe(7);
    expect(written.err).toMatch(/^ralph: The file system is read-only: EROFS: write\n {2}.+\nError: EROFS: write\n/);
  });
});

test("the log ignores flags after --", () => {
  const { log, written } = openedFor("analyze", "--", "--json", "-v", "-q");
  reportError(lost, log);
  log.info("downloading");
  expect(written).toEqual({ out: "", err: "ralph: The disk is full.\n  Free some space.\ndownloading\n" });
});

test.each([["-q"], ["--quiet"]])("%s hides progress and nothing else, even with -v", (flag) => {
  const { log, written } = openedFor("run", flag, "-v");
  log.info("downloading");
  log.warn("a setting has no effect");
  log.log("Nothing was written.");
  expect(written.err).toBe("a setting has no effect\nNothing was written.\n");
});

test("a warning is text on stderr even with --json", () => {
  const { log, written } = openedFor("run", "--json");
  log.warn("a setting has no effect");
  expect(written).toEqual({ out: "", err: "a setting has no effect\n" });
});

test("a repeated message is written each time", () => {
  const { log, written } = openedFor();
  for (let time = 0; time < 20; time++) log.warn("again");
  expect(written.err).toBe("again\n".repeat(20));
});

test("a message that ends with a line end gets no second one", () => {
  const { log, written } = openedFor();
  log.log("one\n  two\n");
  expect(written.err).toBe("one\n  two\n");
});

test("only the cause of an error is coloured, and only if colours are on", () => {
  const written = (color: boolean) => {
    const options = { quiet: false, verbose: true, json: false, color, width: () => 80 };
    const { log, written: output } = logged((outputs) => createLog({ ...options, ...outputs }));
    reportError(new RalphError("internal", "It broke.", { cause: { at: 5 } }), log);
    return output.err;
  };
  expect(written(true)).toBe("ralph: It broke.\n{ at: \u001b[33m5\u001b[39m }\n");
  expect(written(false)).toBe("ralph: It broke.\n{ at: 5 }\n");
});

test("an error is folded between words, and its hint stays indented", () => {
  const options = { quiet: false, verbose: false, json: false, color: false, width: () => 24 };
  const { log, written } = logged((outputs) => createLog({ ...options, ...outputs }));
  log.error(
    new RalphError("internal", "It broke in a way\n  that takes many words.", {
      hint: "Set IS_SANDBOX=1 and try again.",
    }),
  );
  expect(written.err).toBe(
    "ralph: It broke in a way\n  that takes many words.\n  Set IS_SANDBOX=1 and\n  try again.\n",
  );
});
