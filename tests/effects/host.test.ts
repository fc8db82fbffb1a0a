/** Short programs that `Host.run` starts: real ones, whatever they do. */
import { describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHost } from "../../src/effects/host.ts";
import { testFolder } from "../folders.ts";

const folder = testFolder("host");

const ask = (text: string, timeoutMs = 10_000) => {
  const path = join(folder, "program");
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return createHost(folder, process.env).run([path, "--version"], timeoutMs);
};

describe.skipIf(process.platform === "win32")("running a program", () => {
  test.each<[string, string, object]>([
    ["returns its output", "#!/bin/sh\necho $1\n", { exit_code: 0, stdout: "--version\n", stderr: "" }],
    ["gives it no input to wait for", "#!/bin/sh\ncat; echo over\n", { exit_code: 0, stdout: "over\n" }],
    [
      "returns the exit code and stderr of a failure",
      "#!/bin/sh\necho no >&2; exit 3\n",
      { exit_code: 3, stdout: "", stderr: "no\n" },
    ],
    [
      "says that a script names no interpreter",
      "echo 1\n",
      { exit_code: null, stderr: expect.stringContaining("no interpreter") },
    ],
    [
      "says that the interpreter of a script does not exist",
      "#!/no/such/program\n",
      { exit_code: null, stderr: expect.stringContaining("was not found (or the interpreter") },
    ],
    ["ends a program that prints without end", "#!/bin/sh\nyes\n", { exit_code: null }],
  ])("%s", async (_, text, expected) => expect(await ask(text)).toMatchObject(expected));

  test("ends a program that ignores TERM", async () => {
    const deaf = "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 0.1; done\n";
    expect(await ask(deaf, 300)).toMatchObject({ exit_code: null });
  });
});
