/** The parts of a release that need no program. */
import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync, inflateRawSync, zstdDecompressSync } from "node:zlib";
import { matches } from "../../scripts/lib/build/runtimes.ts";
import { readTgz } from "../../scripts/lib/build/tar.ts";
import { hostTarget, TARGETS } from "../../scripts/lib/build/targets.ts";
import { root } from "../../scripts/lib/paths.ts";
import { dateOf, notesOf } from "../../scripts/lib/release/changelog.ts";
import { deflated, gz, zip, zst } from "../../scripts/lib/release/compress.ts";
import { licences } from "../../scripts/lib/release/licences.ts";
import { homebrew, latest, scoop } from "../../scripts/lib/release/manifests.ts";
import { mainPackage, platformPackage } from "../../scripts/lib/release/npm-package.ts";
import { packagesInside, placeOf } from "../../scripts/lib/release/packages.ts";
import { sbom } from "../../scripts/lib/release/sbom.ts";
import { publicHalf, signed, signingKey } from "../../scripts/lib/release/sign.ts";
import { releasesOf } from "../../src/build.ts";
import { verifySignature } from "../../src/effects/network/signature.ts";

const about = { version: "1.2.3", description: "Runs.", license: "MIT", homepage: "https://github.com/o/r" };

describe("targets", () => {
  test("are eight, each with npm's names and ralph's", () => {
    expect(TARGETS.map(({ name, runtime }) => `${name} ${runtime}`)).toMatchInlineSnapshot(`
      [
        "linux-x64 @oven/bun-linux-x64",
        "linux-arm64 @oven/bun-linux-aarch64",
        "linux-x64-musl @oven/bun-linux-x64-musl",
        "linux-arm64-musl @oven/bun-linux-aarch64-musl",
        "darwin-x64 @oven/bun-darwin-x64",
        "darwin-arm64 @oven/bun-darwin-aarch64",
        "windows-x64 @oven/bun-windows-x64",
        "windows-arm64 @oven/bun-windows-aarch64",
      ]
    `);
  });
  test("include this machine", () => expect([...TARGETS, null]).toContain(hostTarget()));
  test("do not include an unknown machine", () => expect(hostTarget("linux", "riscv64")).toBeNull());
});

describe("compression", () => {
  const content = Buffer.from("ralph ".repeat(1_000));
  test("by zstd and gzip is reversible", () => {
    expect(zstdDecompressSync(zst(content, 3)).equals(content)).toBe(true);
    expect(gunzipSync(gz(deflated(content, 9))).equals(content)).toBe(true);
  });
  test("by zip holds one executable file and is reproducible", () => {
    const archive = zip("ralph", deflated(content, 9));
    const end = archive.length - 22;
    const entry = archive.readUInt32LE(end + 16);
    expect(archive.readUInt32LE(end)).toBe(0x06054b50);
    expect(archive.readUInt32LE(entry)).toBe(0x02014b50);
    expect((archive.readUInt32LE(entry + 38) >>> 16).toString(8)).toBe("100755");
    expect(archive.toString("latin1", entry + 46, entry + 51)).toBe("ralph");
    const start = 30 + archive.readUInt16LE(26);
    expect(inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(18))).equals(content)).toBe(true);
    expect(zip("ralph", deflated(content, 9)).equals(archive)).toBe(true);
  });
});

describe("a package of npm", () => {
  const header = (name: string, size: number) => {
    const block = Buffer.alloc(512);
    block.write(name, 0);
    block.write(size.toString(8).padStart(11, "0"), 124);
    block.write("0", 156);
    return block;
  };
  const body = (text: string) => Buffer.concat([Buffer.from(text), Buffer.alloc(512 - text.length)]);
  const tgz = gzipSync(
    Buffer.concat([header("package/a", 5), body("first"), header("package/b", 6), body("second"), Buffer.alloc(1_024)]),
  );
  test("yields its files", () => {
    expect([...readTgz(tgz)].map(([name, content]) => [name, content.toString()])).toEqual([
      ["package/a", "first"],
      ["package/b", "second"],
    ]);
  });
  test("is verified by the lock file's checksum", () => {
    const sum = new Bun.CryptoHasher("sha512").update(tgz).digest("base64");
    expect(matches(tgz, `sha512-${sum}`)).toBe(true);
    expect(matches(Buffer.from("other"), `sha512-${sum}`)).toBe(false);
    expect(matches(tgz, "sha1-abc")).toBe(false);
  });
});

describe("the changelog", () => {
  const text =
    "# Changelog\n\n## [Unreleased]\n\n- next\n\n## [1.2.3] - 2026-11-22\n\n### Added\n\n- this\n\n## [1.2.0] - 2026-01-01\n\n- old\n\n[1.2.3]: x\n";
  test.each([
    ["1.2.3", "### Added\n\n- this", "2026-11-22"],
    ["1.2.0", "- old", "2026-01-01"],
    ["9.9.9", null, null],
  ])("has these notes and date of %s", (version, notes, date) => {
    expect(notesOf(text, version)).toBe(notes);
    expect(dateOf(text, version)).toBe(date);
  });
});

test("programs accept a signature of the release's key", () => {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const key = signingKey(pem);
  const signature = signed("text", key).toString("base64");
  expect(verifySignature("text", signature, publicHalf(key))).toBe(true);
  expect(verifySignature("texts", signature, publicHalf(key))).toBe(false);
  expect(verifySignature("text", signature, "short")).toBe(false);
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
  expect(() => signingKey(rsa.export({ type: "pkcs8", format: "pem" }).toString())).toThrow("no Ed25519 key");
});

describe("the packages in the program", async () => {
  const inside = await packagesInside();
  test("are those that it is compiled from, not those that are installed", () => {
    const names = inside.map(({ name }) => name);
    expect(names).toContain("valibot");
    expect(names).toContain("isomorphic-git");
    expect(names).not.toContain("typescript");
    expect(names).not.toContain("resedit");
  });
  test("include those that a package bundles", () => {
    const source = readFileSync(join(root, "node_modules/unpdf/dist/pdfjs.mjs"), "utf8");
    const pdfjs = inside.find(({ name }) => name === "pdfjs-dist");
    expect(pdfjs).toMatchObject({ license: "Apache-2.0", integrity: null });
    expect(source).toContain(pdfjs?.version ?? "no version");
  });
  test("have a checksum and a licence, and LICENSES.txt has all licences", () => {
    const text = licences(inside);
    for (const { name, version, license, integrity } of inside) {
      if (name !== "pdfjs-dist") expect(integrity).toStartWith("sha512-");
      expect(license).not.toBe("UNKNOWN");
      expect(text).toContain(`${name} ${version} (${license})`);
    }
    expect(text).toContain("GNU LIBRARY GENERAL PUBLIC LICENSE");
  });
  test("are listed in the bill of materials", () => {
    const bill = sbom({ version: "1.2.3", license: "MIT" }, inside, { version: "1.4.5" });
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
    expect(bill.components.map(({ name }) => name)).toEqual(["bun", ...inside.map(({ name }) => name)]);
    expect(bill.components.find(({ name }) => name === "@clack/core")?.purl).toStartWith("pkg:npm/%40clack/core@");
  });
  test.each([
    ["node_modules/a/b.js", "node_modules/a"],
    ["../x/node_modules/@a/b/c/d.js", "node_modules/@a/b"],
    ["node_modules/a/node_modules/b/c.js", "node_modules/a/node_modules/b"],
    ["src/main.ts", null],
  ])("are found by path: %s belongs to %p", (file, place) => expect(placeOf(file)).toBe(place));
});

test("latest.json names an asset for each platform, relative to itself", () => {
  const [target] = TARGETS;
  if (target === undefined) throw new Error("no target");
  const asset = { sha256: "0".repeat(64), size: 1, signature: null };
  expect(latest({ version: "1.2.3", notes: "n", date: "d" }, [{ target, ...asset }])).toEqual({
    version: "1.2.3",
    notes: "n",
    date: "d",
    platforms: { "linux-x64": { url: "ralph-linux-x64.zst", ...asset } },
  });
});

test("the Homebrew formula has each Mac and Linux program with its checksum", () => {
  const sums = new Map(TARGETS.map(({ name }, index) => [`ralph-${name}.zip`, String(index).repeat(64)]));
  const formula = homebrew(about, sums);
  for (const name of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]) {
    const file = `ralph-${name}.zip`;
    expect(formula).toContain(
      `url "https://github.com/o/r/releases/download/v1.2.3/${file}"\n      sha256 "${sums.get(file)}"`,
    );
  }
  const count = (pattern: RegExp) => formula.match(pattern)?.length;
  expect(count(/^\s*(?:class|def|test|on_\w+)\b/gm)).toBe(count(/^\s*end$/gm));
});

test("the Scoop manifest has both Windows programs", () => {
  const sums = new Map([
    ["ralph-windows-x64.zip", "a"],
    ["ralph-windows-arm64.zip", "b"],
  ]);
  expect(scoop(about, sums).architecture).toEqual({
    "64bit": { url: "https://github.com/o/r/releases/download/v1.2.3/ralph-windows-x64.zip", hash: "a" },
    arm64: { url: "https://github.com/o/r/releases/download/v1.2.3/ralph-windows-arm64.zip", hash: "b" },
  });
});

test("npm can pick the one platform package that fits", () => {
  const main = mainPackage({ ...about, name: "ralph" });
  const parts = TARGETS.map((target) => platformPackage({ ...about, name: "ralph" }, target));
  expect(Object.keys(main.optionalDependencies)).toEqual(parts.map(({ name }) => name));
  const platforms = parts.map((part) => JSON.stringify([part.os, part.cpu, "libc" in part ? part.libc : null]));
  expect(new Set(platforms).size).toBe(TARGETS.length);
});

describe("the release's place on GitHub", () => {
  const place = "https://github.com/o/r/releases/latest/download";
  test.each([
    ["github:o/r", place],
    ["o/r", place],
    [{ url: "git+https://github.com/o/r.git" }, place],
    [{ url: "https://github.com/o/r" }, place],
    ["git@github.com:o/r.git", place],
    ["https://example.com/o/r", null],
    [undefined, null],
  ])("for the repository %p", (repository, expected) => expect(releasesOf({ repository })).toBe(expected));
});

test("the install scripts have the placeholders that a release fills in", () => {
  for (const name of ["install.sh", "install.ps1"]) {
    const text = readFileSync(join(root, "scripts", name), "utf8");
    for (const word of ["@RALPH_BASE@", "@RALPH_PUBLIC_KEY@"]) expect(text.split(word)).toHaveLength(2);
  }
});
