/** What `npm install ralph` puts on the PATH, in npm's layout, with scripts instead of the programs. */
import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostTarget, TARGETS } from "../../scripts/lib/build/targets.ts";
import { root } from "../../scripts/lib/paths.ts";
import { mainPackage, platformPackage } from "../../scripts/lib/release/npm-package.ts";
import { run } from "../../scripts/lib/run-program.ts";
import { isHangUpIgnored } from "../../src/effects/terminal/hang-up.ts";
import { testFolder } from "../folders.ts";

const about = { name: "ralph", version: "1.2.3", description: "It runs.", license: "MIT" };
const host = hostTarget();
const parent = testFolder("npm");

let modules = "";
beforeEach(() => {
  modules = join(mkdtempSync(join(parent, "project-")), "node_modules");
  add("ralph", mainPackage(about));
  copyFileSync(join(root, "scripts", "npm-launcher.mjs"), join(modules, "ralph", "ralph.mjs"));
});

function add(name: string, manifest: object): void {
  mkdirSync(join(modules, name), { recursive: true });
  writeFileSync(join(modules, name, "package.json"), JSON.stringify(manifest));
}

/** Installs platform packages, each with a script. */
function addPrograms(script: string, wanted: (name: string) => boolean): void {
  for (const target of TARGETS.filter(({ name }) => wanted(name))) {
    const manifest = platformPackage(about, target);
    add(manifest.name, manifest);
    const text = `#!/bin/sh\ntarget=${target.name}\n${script}\n`;
    writeFileSync(join(modules, manifest.name, "ralph"), text, { mode: 0o755 });
  }
}

const launch = (...args: string[]) =>
  run([Bun.which("node") ?? process.execPath, join(modules, "ralph", "ralph.mjs"), ...args]);

describe.skipIf(host === null || process.platform === "win32")("the launcher of npm", () => {
  test("starts the program of this machine and gives it every word", async () => {
    addPrograms('printf "%s|" "$target" "$@"', (name) => name === host?.name);
    expect(await launch("run", "a b", "--x=*")).toMatchObject({ exitCode: 0, output: `${host?.name}|run|a b|--x=*|` });
  });

  test("picks the program for this C library if both are installed", async () => {
    addPrograms('echo "$target"', () => true);
    expect((await launch()).output).toBe(`${host?.name}\n`);
  });

  test.each([
    ["exit 5", 5],
    ["kill -TERM $$", 143],
  ])("ends as the program ends: %s", async (script, code) => {
    addPrograms(script, (name) => name === host?.name);
    expect((await launch()).exitCode).toBe(code);
  });

  const node = Bun.which("node") ?? process.execPath;
  test.skipIf(process.platform !== "linux").each([
    ["nohup", ["nohup", node], { _: "/usr/bin/nohup" }, 1],
    ["a script under nohup", ["sh", "-c", `trap "" HUP; "$0" "$1"; exit $?`, node], { _: "" }, 1],
    ["what starts it otherwise", [node], { _: "" }, Number(isHangUpIgnored())],
  ] as const)("has a hang-up ignored as %s does", async (_, argv, env, ignored) => {
    addPrograms(
      'digit=$(sed -n "s/^SigIgn:.*\\(.\\)$/\\1/p" /proc/self/status); echo "ignored: $((0x$digit & 1))"',
      (name) => name === host?.name,
    );
    const { output } = await run([...argv, join(modules, "ralph", "ralph.mjs")], { env: { ...process.env, ...env } });
    expect(output).toContain(`ignored: ${ignored}\n`);
  });

  test("says what is wrong if npm installed no program", async () => {
    const { exitCode, output } = await launch();
    expect({ exitCode, output }).toEqual({ exitCode: 7, output: expect.stringContaining("--omit=optional") });
  });

  test("says what to do if the program cannot be started", async () => {
    addPrograms("exit 0", (name) => name === host?.name);
    chmodSync(join(modules, `ralph-${host?.name}`, "ralph"), 0o644);
    const { exitCode, output } = await launch();
    expect({ exitCode, output }).toEqual({ exitCode: 7, output: expect.stringContaining("npm install -g ralph\n") });
  });
});
