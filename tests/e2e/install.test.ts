/** install.sh for real: from a release on loopback into an empty home, with the demo run from there. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment } from "../../scripts/lib/environment.ts";
import { binary, root } from "../../scripts/lib/paths.ts";
import { deflated, gz } from "../../scripts/lib/release/compress.ts";
import { installer } from "../../scripts/lib/release/installer.ts";
import { publicPem, signed } from "../../scripts/lib/release/sign.ts";
import { run } from "../../scripts/lib/run.ts";
import { hostTarget } from "../../scripts/lib/targets.ts";
import { sha256Of } from "../../src/effects/signature.ts";
import { newKey } from "./builds.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-install-"));
const { key } = newKey();
const asset = `ralph-${hostTarget()?.name}.gz`;
const files = new Map<string, string | Uint8Array>();
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) => {
    const file = files.get(new URL(url).pathname.slice(1));
    return file === undefined ? new Response("not there", { status: 404 }) : new Response(file as string);
  },
});
const base = `http://127.0.0.1:${server.port}`;
const isPosix = process.platform !== "win32" && hostTarget() !== null;
const shell = Bun.which("dash") ?? "sh";

beforeAll(() => {
  const script = readFileSync(join(root, "scripts", "install.sh"), "utf8");
  writeFileSync(join(folder, "install.sh"), installer(script, { base, publicPem: publicPem(key) }));
});
afterAll(() => {
  void server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a program on the server, with checksums and their signature. */
function offer(program: Uint8Array, sign = key): void {
  const content = gz(deflated(program, 1));
  const sums = `${sha256Of(content)}  ${asset}\n`;
  files.clear();
  files.set(asset, content).set("SHA256SUMS", sums).set("SHA256SUMS.sig", signed(sums, sign));
}

const script = (version: string) => new TextEncoder().encode(`#!/bin/sh\necho ${version}\n`);

function install(home: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  mkdirSync(home, { recursive: true });
  return run([shell, join(folder, "install.sh"), ...args], { cwd: home, env: { ...cleanEnvironment(home), ...env } });
}

describe.skipIf(!isPosix)("install.sh", () => {
  test("sets an empty home up, in which the demo runs, and takes itself away again", async () => {
    offer(readFileSync(binary));
    const home = join(folder, "home");
    const { exitCode, output } = await install(home);
    expect(output).toContain(`is in ${home}/.local/bin/ralph`);
    expect(output).toContain(`export PATH="${home}/.local/bin:$PATH"`);
    expect(exitCode).toBe(0);
    expect(readdirSync(join(home, ".local", "bin"))).toEqual(["ralph"]);

    const env = cleanEnvironment(home, [join(home, ".local", "bin")]);
    const demo = await run(["sh", "-c", "ralph demo"], { cwd: home, env });
    expect(demo.exitCode).toBe(0);
    expect(demo.output).toContain("What you saw");

    const removed = await install(home, ["--uninstall"]);
    expect(removed.exitCode).toBe(0);
    expect(existsSync(join(home, ".local", "bin", "ralph"))).toBe(false);
  });

  test("replaces an older program, in a folder of one's choice that is on the PATH", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "chosen");
    const bin = join(home, "my bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "ralph"), "old");
    const { exitCode, output } = await install(home, ["--dir", bin], { PATH: `${bin}:${process.env.PATH}` });
    expect(exitCode).toBe(0);
    expect(output).toContain("ralph 2.0.0 is in");
    expect(output).not.toContain("PATH");
    expect(readdirSync(bin)).toEqual(["ralph"]);
  });

  const other = newKey().key;
  test.each([
    [
      "a program that was changed",
      () => files.set(asset, gz(deflated(script("6.6.6"), 1))),
      "does not have the checksum",
    ],
    [
      "checksums that somebody else signed",
      () => offer(script("1.0.0"), other),
      "the signature of the release is wrong",
    ],
    [
      "a release without this platform",
      () => files.set("SHA256SUMS", ""),
      /the signature of the release is wrong|has no/,
    ],
    ["a program that does not run", () => offer(new TextEncoder().encode("#!/nowhere\n")), "does not run here"],
    ["no server", () => files.clear(), "could not be downloaded"],
  ] as [string, () => void, string | RegExp][])("installs nothing from %s", async (name, spoil, why) => {
    offer(script("1.0.0"));
    spoil();
    const home = join(folder, name.replaceAll(" ", "-"));
    const { exitCode, output } = await install(home);
    expect(output).toMatch(why);
    expect(exitCode).toBe(1);
    const bin = join(home, ".local", "bin");
    expect(existsSync(bin) ? readdirSync(bin) : []).toEqual([]);
  });

  test.each([
    [["--uninstall"], {}, "there is no"],
    [["--no-such"], {}, "unknown word --no-such"],
    [[], { RALPH_UPDATE_URL: "http://mirror.example.invalid" }, "only https is safe"],
    [[], { RALPH_UPDATE_URL: "http://127.0.0.1.example.invalid" }, "only https is safe"],
  ] as [string[], Record<string, string>, string][])("says what is wrong with %p %p", async (args, env, why) => {
    const { exitCode, output } = await install(join(folder, "wrong"), args, env);
    expect(output).toContain(why);
    expect(exitCode).toBe(1);
  });
});

test("the shell finds no fault in install.sh, nor does shellcheck where it is", async () => {
  if (isPosix)
    expect(await run([shell, "-n", join(root, "scripts", "install.sh")])).toMatchObject({ exitCode: 0, output: "" });
  const shellcheck = Bun.which("shellcheck");
  if (shellcheck !== null)
    expect(await run([shellcheck, "-s", "sh", join(root, "scripts", "install.sh")])).toMatchObject({ output: "" });
});

test("install.ps1 asks for the same release, checks it, and its brackets close", () => {
  const text = readFileSync(join(root, "scripts", "install.ps1"), "utf8");
  for (const part of [
    "SHA256SUMS",
    "SHA256SUMS.sig",
    "Get-FileHash -Algorithm SHA256",
    "ralph-$(Get-Target).zip",
    "@RALPH_BASE@",
  ])
    expect(text).toContain(part);
  const bare = text.replace(/'[^']*'|"(?:[^"`]|`.)*"|#.*$/gm, "");
  for (const [open, close] of ["{}", "()", "[]"].map((pair) => [...pair]))
    expect(bare.split(open ?? "").length).toBe(bare.split(close ?? "").length);
});
