/** The real install.sh: it installs a release from loopback into an empty home, and the demo runs from there. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { hostTarget } from "../../../scripts/lib/build/targets.ts";
import { binary, root } from "../../../scripts/lib/paths.ts";
import { deflated, gz } from "../../../scripts/lib/release/compress.ts";
import { installer } from "../../../scripts/lib/release/installer.ts";
import { publicPem, signed } from "../../../scripts/lib/release/sign.ts";
import { run } from "../../../scripts/lib/run-program.ts";
import { cleanEnvironment } from "../../../scripts/lib/tests/environment.ts";
import { sha256Of } from "../../../src/effects/files/sha256.ts";
import { testFolder } from "../../folders.ts";
import { newKey } from "../support/builds.ts";

const folder = testFolder("install");
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
const INSTALLED = ["ralph", "ralph-enable", "ralph-import", "ralph-monitor", "ralph-setup"];
const base = `http://127.0.0.1:${server.port}`;
const isPosix = process.platform !== "win32" && hostTarget() !== null;
const shell = Bun.which("dash") ?? "sh";
/** The shells on this machine that may be a user's `sh`, or that a user may name. */
const shells = [
  [shell],
  ["busybox", "sh"],
  ["bash", "--posix"],
  ["zsh", "--emulate", "sh"],
  ["zsh"],
  ...["ksh", "mksh", "posh"].map((name) => [name]),
].flatMap(([name = "", ...words]) => {
  const found = Bun.which(name);
  return found === null ? [] : [[found, ...words]];
});

beforeAll(() => {
  const script = readFileSync(join(root, "scripts", "install.sh"), "utf8");
  writeFileSync(join(folder, "install.sh"), installer(script, { base, publicPem: publicPem(key) }));
});
afterAll(() => server.stop(true));

/** Publishes a program on the server, with checksums and their signature. */
function offer(program: Uint8Array, sign = key): void {
  const content = gz(deflated(program, 1));
  const sums = `${sha256Of(content)}  ${asset}\n`;
  files.clear();
  files.set(asset, content).set("SHA256SUMS", sums).set("SHA256SUMS.sig", signed(sums, sign));
}

/** A program that the installer recognises as ralph: every ralph contains the name of this variable. */
const script = (version: string) => new TextEncoder().encode(`#!/bin/sh\n# RALPH_UPDATE_URL\necho ${version}\n`);

type Surroundings = { env?: Record<string, string>; words?: readonly string[] };

/** @param words the shell that runs the script */
function install(home: string, args: readonly string[] = [], { env = {}, words = [shell] }: Surroundings = {}) {
  mkdirSync(home, { recursive: true });
  const argv = [...words, join(folder, "install.sh"), ...args];
  return run(argv, { cwd: home, env: { ...cleanEnvironment(home), ...env } });
}

/** A folder for PATH with only these programs and the basic ones of every system. */
function pathWith(...names: string[]): string {
  const place = mkdtempSync(join(folder, "path-"));
  for (const name of [..."sh uname mktemp gzip chmod mv mkdir rm ln printf awk grep sed ldd".split(" "), ...names]) {
    const program = Bun.which(name);
    if (program !== null) symlinkSync(program, join(place, name));
  }
  return place;
}

describe.skipIf(!isPosix)("install.sh", () => {
  test("sets up an empty home, in which the demo runs, and uninstalls again", async () => {
    offer(readFileSync(binary));
    const home = join(folder, "home");
    const { exitCode, output } = await install(home);
    expect(output).toContain(`is in ${home}/.local/bin/ralph`);
    expect(output).toContain(`Add this line to ~/.profile:\n  export PATH="${home}/.local/bin:$PATH"\n`);
    expect(exitCode).toBe(0);
    expect(readdirSync(join(home, ".local", "bin")).sort()).toEqual(INSTALLED);

    const env = cleanEnvironment(home, [join(home, ".local", "bin")]);
    const demo = await run(["sh", "-c", "ralph demo"], { cwd: home, env });
    expect(demo.exitCode).toBe(0);
    expect(demo.output).toContain("What you saw");
    expect(demo.output).not.toContain("folder of your PATH");

    const removed = await install(home, ["uninstall"]);
    expect(removed.exitCode).toBe(0);
    expect(readdirSync(join(home, ".local", "bin"))).toEqual([]);
  });

  test("makes the original's command names, which run those commands, also when it is run again", async () => {
    offer(readFileSync(binary));
    const home = join(folder, "names");
    const bin = join(home, ".local", "bin");
    await install(home);
    const env = cleanEnvironment(home, [bin]);
    const help = async (words: string) => run(["sh", "-c", `${words} --help`], { cwd: home, env });
    for (const name of ["setup", "enable", "import", "monitor"]) {
      const asked = await help(`ralph-${name}`);
      expect(asked.exitCode).toBe(0);
      expect(asked).toEqual(await help(`ralph ${name}`));
    }
    const again = await install(home);
    expect(again.exitCode).toBe(0);
    expect(again.output).not.toContain("stays");
    expect(readdirSync(bin).sort()).toEqual(INSTALLED);
  });

  test("leaves another program of one of these names, or a link to nowhere, as it is and says so", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "taken");
    const bin = join(home, ".local", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "ralph-import"), "#!/bin/sh\n# somebody's own\n");
    symlinkSync("nowhere", join(bin, "ralph-monitor"));
    const { exitCode, output } = await install(home);
    expect(exitCode).toBe(0);
    for (const name of ["import", "monitor"])
      expect(output).toContain(
        `stays: ${bin}/ralph-${name}, another program of that name; ralph's own is: ralph ${name}\n`,
      );
    expect(readFileSync(join(bin, "ralph-import"), "utf8")).toContain("somebody's own");
    expect(readlinkSync(join(bin, "ralph-monitor"))).toBe("nowhere");
    expect((await install(home, ["uninstall"])).exitCode).toBe(0);
    expect(readdirSync(bin).sort()).toEqual(["ralph-import", "ralph-monitor"]);
  });

  test("uninstall removes the program, its links and its cache, and says what stays", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "leaving");
    const bin = join(home, ".local", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "ralph"), "#!/bin/sh\n# somebody's own\n");
    await install(home);
    const [config, cache] =
      process.platform === "darwin"
        ? [join(home, "Library", "Application Support"), join(home, "Library", "Caches")]
        : [join(home, "config"), join(home, "cache")];
    const env = { XDG_CONFIG_HOME: config, XDG_CACHE_HOME: cache };
    const kept = [join(config, "ralph", "drivers"), join(home, ".ralph", "templates"), join(home, "project", ".ralph")];
    for (const place of [...kept, join(cache, "ralph")]) mkdirSync(place, { recursive: true });

    const { exitCode, output } = await install(home, ["uninstall"], { env });
    expect(exitCode).toBe(0);
    expect(output.trimEnd().split("\n")).toEqual([
      ...["setup", "enable", "import", "monitor"].map((name) => `removed ${bin}/ralph-${name}`),
      `removed ${bin}/ralph`,
      `stays: ${bin}/ralph.old, the other program that was called ralph`,
      `removed ${cache}/ralph`,
      `stays: ${config}/ralph, drivers, templates and the like`,
      `stays: ${home}/.ralph, drivers, templates and the like`,
      "stays: .ralph in each project, with its settings and runs",
    ]);
    expect(readdirSync(bin).sort()).toEqual(["ralph.old"]);
    expect(existsSync(join(cache, "ralph"))).toBe(false);
    for (const place of kept) expect(existsSync(place)).toBe(true);
  });

  test("replaces an older program in a chosen folder on the PATH", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "chosen");
    const bin = join(home, "my bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "ralph"), script("1.0.0"));
    const { exitCode, output } = await install(home, ["--dir", bin], { env: { PATH: `${bin}:${process.env.PATH}` } });
    expect(exitCode).toBe(0);
    expect(output).toContain("ralph 2.0.0 is in");
    expect(output).not.toContain("PATH");
    expect(readdirSync(bin).sort()).toEqual(INSTALLED);
  });

  describe.each(shells.map((words) => [words.join(" "), words] as const))("with %s", (_, words) => {
    const home = (name: string) => join(folder, `${words.map((word) => basename(word)).join("")} ${name}`);
    const installed = (name: string) => existsSync(join(home(name), ".local", "bin", "ralph"));

    test.each([
      ["curl", ["curl", "sha256sum", "openssl"]],
      ["wget", ["wget", "sha256sum"]],
      ["shasum", ["curl", "shasum", "perl"]],
      ["openssl", ["curl", "openssl"]],
    ])("installs with %s into a home with a blank in its name", async (name, programs) => {
      offer(script("2.0.0"));
      const { exitCode, output } = await install(home(name), [], { words, env: { PATH: pathWith(...programs) } });
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining("ralph 2.0.0 is in") });
      expect(installed(name)).toBe(true);
    });

    test("makes each name of a command, and uninstall leaves none", async () => {
      offer(script("2.0.0"));
      const there = () => readdirSync(join(home("names"), ".local", "bin")).sort();
      await install(home("names"), [], { words });
      expect(there()).toEqual(INSTALLED);
      const { exitCode, output } = await install(home("names"), ["uninstall"], { words });
      expect({ exitCode, left: there() }).toEqual({ exitCode: 0, left: [] });
      expect(output).not.toContain("another program");
    });

    test.each([
      ["nothing to download with", ["sha256sum"], "curl or wget is needed"],
      ["nothing to check with", ["curl"], "is needed to check what was downloaded"],
    ])("installs nothing with %s", async (name, programs, why) => {
      offer(script("2.0.0"));
      const { exitCode, output } = await install(home(name), [], { words, env: { PATH: pathWith(...programs) } });
      expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining(why) });
      expect(installed(name)).toBe(false);
    });
  });

  test.each([
    ["/bin/bash", process.platform === "darwin" ? "~/.bash_profile:" : "~/.bashrc:", "export PATH="],
    ["/usr/bin/zsh", "~/.zshrc:", "export PATH="],
    ["/usr/bin/fish", "once:", "fish_add_path "],
    ["", "~/.profile:", "export PATH="],
  ])("tells users of %p what to add, in that shell's syntax", async (SHELL, where, line) => {
    offer(script("2.0.0"));
    const home = join(folder, `a $home "of" ${SHELL.replaceAll("/", "-")}`);
    const { output } = await install(home, ["--dir", "bin"], { env: { SHELL } });
    expect(output).toContain(`Add ${where === "once:" ? "it, once:" : `this line to ${where}`}`);
    const added = output.split("\n").find((text) => text.trim().startsWith(line)) ?? "";
    const user = SHELL === "" ? shell : (Bun.which(basename(SHELL)) ?? null);
    if (user === null) return;
    const { stdout } = Bun.spawnSync([user, "-c", `${added.trim()}; ralph`], { env: cleanEnvironment(home) });
    expect(stdout.toString()).toBe("2.0.0\n");
  });

  test("keeps another program of that name aside, and --uninstall does not remove it", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "other");
    const bin = join(home, ".local", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "ralph"), "#!/bin/sh\n# somebody's own\n");

    const refused = await install(home, ["--uninstall"]);
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining("is another program") });
    const { exitCode, output } = await install(home);
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining(`now ${bin}/ralph.old`) });
    expect(readFileSync(join(bin, "ralph.old"), "utf8")).toContain("somebody's own");
    expect(await run([join(bin, "ralph")])).toMatchObject({ output: "2.0.0\n" });
  });

  test("keeps another program of that name beside one that was put aside before", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "again");
    const bin = join(home, ".local", "bin");
    mkdirSync(bin, { recursive: true });
    for (const [nth, aside] of ["ralph.old", "ralph.old2", "ralph.old3"].entries()) {
      writeFileSync(join(bin, "ralph"), `#!/bin/sh\n# somebody's own ${nth}\n`);
      expect((await install(home)).output).toContain(`is now ${bin}/${aside}\n`);
    }
    const kept = ["ralph.old", "ralph.old2", "ralph.old3"].map((name) => readFileSync(join(bin, name), "utf8"));
    expect(kept).toEqual([0, 1, 2].map((nth) => `#!/bin/sh\n# somebody's own ${nth}\n`));
    expect((await install(home, ["uninstall"])).output).toContain(`stays: ${bin}/ralph.old3, the other program`);
    expect(readdirSync(bin).sort()).toEqual(["ralph.old", "ralph.old2", "ralph.old3"]);
  });

  test("installs nothing into a folder called ralph", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "checkout");
    mkdirSync(join(home, "bin", "ralph"), { recursive: true });
    const { exitCode, output } = await install(home, ["--dir", "bin"]);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining("is a folder") });
    expect(readdirSync(join(home, "bin", "ralph"))).toEqual([]);
  });

  test.each(["/", "/../bin", "//"])("finds its folder on a PATH that spells it with %p at the end", async (ending) => {
    offer(script("2.0.0"));
    const home = join(folder, "spelled");
    const PATH = `${join(home, "bin")}${ending}:${process.env.PATH}`;
    mkdirSync(join(home, "bin"), { recursive: true });
    expect((await install(home, ["--dir", "bin"], { env: { PATH } })).output).not.toContain("PATH");
  });

  test("leaves a cache at the root of the disk alone without HOME", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "rootless");
    const cache = join(home, "relative", "ralph");
    mkdirSync(cache, { recursive: true });
    const env = { HOME: "", XDG_CACHE_HOME: "relative" };
    await install(home, ["--dir", "bin"], { env });
    expect(await install(home, ["--dir", "bin", "--uninstall"], { env })).toMatchObject({ exitCode: 0 });
    expect(existsSync(cache)).toBe(true);
  });

  test("says that another ralph comes first on the PATH", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "second");
    const [first, bin] = [join(home, "first"), join(home, "bin")];
    mkdirSync(first, { recursive: true });
    writeFileSync(join(first, "ralph"), "#!/bin/sh\n", { mode: 0o755 });
    const env = { PATH: `${first}:${bin}:${process.env.PATH}` };
    const { output } = await install(home, ["--dir", bin], { env });
    expect(output).toContain(`another ralph comes first on your PATH: ${first}/ralph`);
  });

  test("needs no HOME if a folder is named, and suggests --dir without both", async () => {
    offer(script("2.0.0"));
    const place = join(folder, "homeless");
    const env = { HOME: "" };
    expect(await install(place, ["--dir", join(place, "bin")], { env })).toMatchObject({ exitCode: 0 });
    expect(await install(place, ["--uninstall", "--dir", join(place, "bin")], { env })).toMatchObject({ exitCode: 0 });
    const { exitCode, output } = await install(place, [], { env });
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining("name a folder with --dir") });
  });

  test("reports a read-only folder before it downloads", async () => {
    offer(script("2.0.0"));
    const home = join(folder, "closed");
    mkdirSync(join(home, "bin"), { recursive: true });
    chmodSync(join(home, "bin"), 0o555);
    // Root may write everywhere.
    const nobody = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--clear-groups", shell] : [shell];
    chmodSync(folder, 0o755);
    const { exitCode, output } = await install(home, ["--dir", join(home, "bin")], { words: nobody });
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining("can't be written to") });
    expect(output).not.toContain("downloading");
  });

  const other = newKey().key;
  test.each([
    [
      "a release with a changed program",
      () => files.set(asset, gz(deflated(script("6.6.6"), 1))),
      "does not have the checksum",
    ],
    [
      "a release with another signer's checksums",
      () => offer(script("1.0.0"), other),
      "the signature of the release is wrong",
    ],
    [
      "a release without this platform",
      () => files.set("SHA256SUMS", ""),
      /the signature of the release is wrong|has no/,
    ],
    [
      "a release whose program does not run",
      () => offer(new TextEncoder().encode("#!/nowhere\n")),
      "does not run here",
    ],
    ["a server without files", () => files.clear(), "could not be downloaded"],
    [
      "a proxy that answers every request with a page",
      () => files.set("SHA256SUMS", "<html>\n<p>This download was blocked.</p>\n</html>\n"),
      "is no list of checksums",
    ],
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
  ] as [string[], Record<string, string>, string][])("reports what is wrong with %p %p", async (args, env, why) => {
    const { exitCode, output } = await install(join(folder, "wrong"), args, { env });
    expect(output).toContain(why);
    expect(exitCode).toBe(1);
  });
});

test("install.sh passes the shell's syntax check, and shellcheck if it is installed", async () => {
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
    "ValidateSet('', 'uninstall')",
    "$Linked = 'setup', 'enable', 'import', 'monitor'",
    "ralph-$name.cmd",
    // Another program of that name is kept aside, and not removed.
    "$isOther = (Test-Path $program) -and -not (Test-Ralph $program)",
    "'ralph.old.exe'",
    "if (-not (Test-Ralph $program)) { throw",
    "is a folder: name another place",
  ])
    expect(text).toContain(part);
  const bare = text.replace(/'[^']*'|"(?:[^"`]|`.)*"|#.*$/gm, "");
  for (const [open, close] of ["{}", "()", "[]"].map((pair) => [...pair]))
    expect(bare.split(open ?? "").length).toBe(bare.split(close ?? "").length);
});
