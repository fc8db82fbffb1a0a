import { describe, expect, test } from "bun:test";
import { resolveCommand } from "../../../src/effects/process/windows-command.ts";

const npmScript =
  'IF EXIST "%dp0%\\node.exe" (\r\n)\r\nendLocal & "%_prog%"  "%dp0%\\node_modules\\@x\\codex\\bin\\codex.js" %*\r\n';
const npmProgram = '@ECHO off\r\n"%dp0%\\node_modules\\x\\bin\\claude.exe"   %*\r\n';
const pnpm = '@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\..\\x\\bin.mjs" %*\r\n)';
const files: Record<string, string> = {
  "C:\\npm\\codex.cmd": npmScript,
  "C:\\npm\\codex": "#!/bin/sh",
  "C:\\npm\\node_modules\\@x\\codex\\bin\\codex.js": "",
  "C:\\npm\\claude.cmd": npmProgram,
  "C:\\npm\\node_modules\\x\\bin\\claude.exe": "",
  "C:\\pnpm\\tool.CMD": pnpm,
  "C:\\pnpm\\tool.cmd": pnpm,
  "C:\\x\\bin.mjs": "",
  "C:\\own\\agent.bat": "@echo off\r\ncall something %*\r\n",
  "C:\\node\\node.exe": "",
  "C:\\a;b\\quoted.exe": "",
};
const disk = { exists: (path: string) => path in files, read: (path: string) => files[path] ?? "" };
const env = {
  Path: 'C:\\npm;;C:\\pnpm;"C:\\a;b";C:\\own;C:\\node',
  PathExt: ".COM;.EXE;.BAT;.CMD;.JS",
  ComSpec: "C:\\cmd.exe",
};

describe("on Windows", () => {
  test.each([
    ["a program on PATH", ["node", "-v"], ["C:\\node\\node.exe", "-v"]],
    ["a missing program, given by its path", ["C:\\gone", "x"], ["C:\\gone", "x"]],
    ["a program in a quoted folder of PATH", ["quoted"], ["C:\\a;b\\quoted.exe"]],
    [
      "npm's shim of a script",
      ["codex", "exec", "a & b"],
      ["C:\\node\\node.exe", "C:\\npm\\node_modules\\@x\\codex\\bin\\codex.js", "exec", "a & b"],
    ],
    ["npm's shim of a program", ["claude", "two\nlines"], ["C:\\npm\\node_modules\\x\\bin\\claude.exe", "two\nlines"]],
    ["pnpm's shim, by its path", ["C:\\pnpm\\tool.cmd"], ["C:\\node\\node.exe", "C:\\x\\bin.mjs"]],
  ])("%s is started directly", (_what, argv, expected) => {
    expect(resolveCommand(argv, env, "win32", disk)).toEqual({ argv: expected, verbatim: false });
  });

  test("another command file is run by cmd.exe, with everything escaped that it would read as code", () => {
    const found = resolveCommand(["agent", 'a"&calc.exe', "%PATH%", "b\\"], env, "win32", disk);
    const line = '"C:\\own\\agent.bat ^^^"a\\^^^"^^^&calc.exe^^^" ^^^"^^^%PATH^^^%^^^" ^^^"b\\\\^^^""';
    expect(found).toEqual({ argv: ["C:\\cmd.exe", "/d", "/s", "/c", line], verbatim: true });
  });

  test("a name that no folder of PATH has is not searched in the working folder", () => {
    expect(resolveCommand(["gone"], env, "win32", { ...disk, exists: (path) => path === "gone.exe" })).toEqual({
      refused: "it was not found",
    });
  });

  test("a line end can't be passed to a command file", () => {
    expect(resolveCommand(["agent", "a\nb"], env, "win32", disk)).toHaveProperty("refused");
  });
});

test("on other systems a command is started unchanged", () => {
  const argv = ["codex", "exec", "a & b"];
  expect(resolveCommand(argv, env, "linux", disk)).toEqual({ argv, verbatim: false });
});
