/** The command lines of every driver, for every kind of request. */

import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { CommandRequest, Driver } from "../../src/driver.ts";
import { folder, subjects } from "./subjects.ts";

const dir = folder();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const all = await subjects(dir);

const OLD: Readonly<Record<string, string>> = { opencode: "ses_0123456789abcdefghijklmnop" };
const UUID = "0f8e7d6c-1234-4abc-9def-001122334455";
const sessionOf = ({ name }: Driver) => OLD[name] ?? UUID;

function request(driver: Driver, change: Partial<CommandRequest> = {}): CommandRequest {
  return {
    binary: [typeof driver.cliBinary === "string" ? driver.cliBinary : driver.name],
    prompt: "Do the next task.\n",
    context: null,
    resume: null,
    newSessionId: "5a4e2c1b-1111-4222-8333-944444444444",
    format: "json",
    partial: false,
    model: null,
    effort: null,
    allowedTools: driver.supportsToolAllowlist === true ? ["Read", "Bash"] : null,
    permissionMode: "bypassPermissions",
    readOnly: false,
    cwd: dir,
    isGitRepository: true,
    ...change,
  };
}

/** What the kernel and every argument parser accept: few, short words without NUL. */
function isStartable(argv: readonly string[]): boolean {
  return argv.length > 0 && argv.every((word) => !word.includes("\0") && Buffer.byteLength(word) < 32_000);
}

const PROMPTS: readonly (readonly [string, string])[] = [
  ["plain text", "Do the next task.\n"],
  ["no text", ""],
  ["a leading dash", "-p looks like a flag"],
  ["two leading dashes", "--help\n"],
  ["quotes", `'single' "double" \`back\` $HOME $(touch x) \\ %PATH% !x\n`],
  ["unicode", "żółw 🐢 日本語 \u2028 \u200f‮\n"],
  ["several line ends", "first\nsecond\r\nthird\n\n\n"],
  ["blanks around it", "  \n indented\n  "],
  ["300 KB", `${"0123456789abcde\n".repeat(20_000)}`],
];

describe.each(all)("the command of $name", ({ driver, promptOf }) => {
  const argvOf = (change: Partial<CommandRequest> = {}) => driver.buildCommand(request(driver, change)).argv;

  test.each(PROMPTS)("passes a prompt with %s unchanged, never as an argument", (_, prompt) => {
    const command = driver.buildCommand(request(driver, { prompt }));
    expect(promptOf(command)).toBe(prompt);
    expect(isStartable(command.argv)).toBe(true);
    if (prompt.length > 8) expect(command.argv.some((word) => word.includes(prompt.trim()))).toBe(false);
  });

  test("passes the context exactly once", () => {
    const context = "Iteration 7 of a loop.";
    const command = driver.buildCommand(request(driver, { context }));
    const ways = [promptOf(command).includes(context), command.argv.includes(context)].filter(Boolean);
    // The scripted agent ignores the context, and the test wrappers do not pass it.
    expect(ways.length).toBe(driver.name === "demo" || driver.name.endsWith("-wrapper") ? 0 : 1);
    expect(promptOf(command)).toContain("Do the next task.\n");
  });

  test("starts with the user's program and its arguments", () => {
    const binary = ["/opt/my agent/bin", "--flag", "a b"];
    const expected = driver.name.endsWith("-wrapper") ? [binary.join(" ")] : binary;
    expect(argvOf({ binary }).slice(0, expected.length)).toEqual(expected);
  });

  test("resumes only the requested session", () => {
    const session = sessionOf(driver);
    expect(isSessionId(driver, session)).toBe(true);
    expect(argvOf().join("\n")).not.toContain(session);
    const resumed = argvOf({ resume: session });
    expect(resumed.filter((word) => word.includes(session))).toHaveLength(1);
    expect(resumed.join("\n")).not.toContain("5a4e2c1b");
  });

  test("contains the id of a new session only with choosesSessionId", () => {
    const chosen = argvOf().some((word) => word.includes("5a4e2c1b-1111-4222-8333-944444444444"));
    expect(chosen).toBe(driver.choosesSessionId === true);
  });

  test("passes each tool pattern whole, even with commas in brackets", () => {
    const tools = ["Bash(git add,commit)", "Read", "mcp__a__b", "Edit(src/**)"];
    const argv = argvOf({ allowedTools: driver.supportsToolAllowlist === true ? tools : null });
    const passed = tools.filter((tool) => argv.some((word) => word === tool || word.includes(tool)));
    expect(passed).toEqual(driver.supportsToolAllowlist === true && !driver.name.endsWith("-wrapper") ? tools : []);
  });

  test.each([["a model", { model: "vendor/model-4.5" }] as const, ["an effort", { effort: "high" }] as const])(
    "can be started with %s, which only adds words",
    (_, change) => {
      const [before, after] = [argvOf(), argvOf(change)];
      expect(isStartable(after)).toBe(true);
      expect(after.length).toBeGreaterThanOrEqual(before.length);
    },
  );

  test.each(["json", "text"] as const)(
    "can be started in the format %s, with and without partial text",
    (format) => {
      for (const partial of [true, false]) {
        for (const permissionMode of ["bypassPermissions", "acceptEdits", "plan", "default", ""]) {
          for (const isGitRepository of [true, false]) {
            expect(isStartable(argvOf({ format, partial, permissionMode, isGitRepository }))).toBe(true);
          }
        }
      }
    },
    20_000,
  );

  test("is equal for equal requests, and the request stays unchanged", () => {
    const given = Object.freeze(request(driver, { binary: Object.freeze(["x"]) as string[] }));
    expect(driver.buildCommand(given)).toEqual(driver.buildCommand(given));
  });
});
