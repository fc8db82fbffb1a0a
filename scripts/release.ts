/**
 * `npm run release`: makes `dist/release/`, all files of a release, from the output of `npm run build:all`.
 * `-- --level N` compresses with less effort (19 is a release's), `-- --target NAME` takes only some programs.
 * RALPH_SIGNING_KEY, an Ed25519 key in PEM, signs. An unsigned release is for inspection: programs do not update to it.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { releasesOf } from "../src/build.ts";
import { manPage } from "../src/cli/args/man-page.ts";
import { COMMANDS } from "../src/cli/command-table.ts";
import { signaturePayload } from "../src/core/release/release.ts";
import { sha256Of } from "../src/effects/files/sha256.ts";
import { bundle } from "./lib/build/bundle.ts";
import { programPath } from "./lib/build/program.ts";
import { lockedRuntime } from "./lib/build/runtimes.ts";
import { TARGETS } from "./lib/build/targets.ts";
import { programName, root } from "./lib/paths.ts";
import { dateOf, notesOf } from "./lib/release/changelog.ts";
import { deflated, gz, zip, zst } from "./lib/release/compress.ts";
import { installer } from "./lib/release/installer.ts";
import { licences } from "./lib/release/licences.ts";
import { homebrew, latest, scoop } from "./lib/release/manifests.ts";
import { mainPackage, platformPackage } from "./lib/release/npm-package.ts";
import { packagesInside } from "./lib/release/packages.ts";
import { sbom } from "./lib/release/sbom.ts";
import { publicHalf, publicPem, signed, signingKey } from "./lib/release/sign.ts";

const { values } = parseArgs({
  options: { target: { type: "string", multiple: true }, level: { type: "string", default: "19" } },
});
const level = Number(values.level);
const targets = TARGETS.filter(({ name }) => values.target?.includes(name) ?? true);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { version }: { version: string } = manifest;
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
const date = process.env.RALPH_RELEASE_DATE ?? dateOf(changelog, version) ?? "";
const pem = process.env.RALPH_SIGNING_KEY ?? "";
const key = pem.trim() === "" ? null : signingKey(pem);
if (key !== null && publicHalf(key) !== (process.env.RALPH_PUBLIC_KEY ?? "").trim()) {
  console.error("RALPH_PUBLIC_KEY is not the public half of RALPH_SIGNING_KEY: programs would refuse this release");
  process.exit(1);
}

const out = join(root, "dist", "release");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const sums = new Map<string, string>();

function put(name: string, content: string | Uint8Array): { sha256: string; size: number } {
  const bytes = Buffer.from(content);
  const sha256 = sha256Of(bytes);
  writeFileSync(join(out, name), bytes);
  sums.set(name, sha256);
  return { sha256, size: bytes.length };
}

const assets = targets.map((target) => {
  const content = readFileSync(programPath(target));
  const { sha256, size } = put(`ralph-${target.name}.zst`, zst(content, level));
  const squeezed = deflated(content, level);
  put(`ralph-${target.name}.zip`, zip(programName(target.os), squeezed));
  // install.sh needs only gzip, which is everywhere, unlike zstd and unzip.
  if (target.os !== "win32") put(`ralph-${target.name}.gz`, gz(squeezed));
  const text = signaturePayload({ version, target: target.name, sha256 });
  console.log(`${target.name}: ${(content.length / 1e6).toFixed(1)} MB, zst ${(size / 1e6).toFixed(1)} MB`);
  return { target, sha256, size, signature: key === null ? null : signed(text, key).toString("base64") };
});

const inside = await packagesInside();
const bun = lockedRuntime({ runtime: "bun" }).version;
await bundle(join(out, "ralph.mjs"));
put("ralph.mjs", readFileSync(join(out, "ralph.mjs")));
put("ralph.1", manPage(COMMANDS, date));
put("LICENSES.txt", licences(inside));
put(
  "sbom.cdx.json",
  `${JSON.stringify(sbom({ version, license: manifest.license }, inside, { version: bun }), null, 2)}\n`,
);
const notes = notesOf(changelog, version) ?? "";
put("latest.json", `${JSON.stringify(latest({ version, notes, date }, assets), null, 2)}\n`);
const source = { base: releasesOf(manifest), publicPem: key === null ? null : publicPem(key) };
for (const name of ["install.sh", "install.ps1"])
  put(name, installer(readFileSync(join(root, "scripts", name), "utf8"), source));
chmodSync(join(out, "install.sh"), 0o755);

const lines = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`);
writeFileSync(join(out, "SHA256SUMS"), lines.join(""));
if (key !== null) writeFileSync(join(out, "SHA256SUMS.sig"), signed(lines.join(""), key));

// For package managers; not part of the release itself.
const homepage = releasesOf(manifest)?.replace(/\/releases\/.*$/, "");
if (homepage !== undefined) {
  const about = { version, description: manifest.description, license: manifest.license, homepage };
  const managers = join(root, "dist", "managers");
  mkdirSync(managers, { recursive: true });
  writeFileSync(join(managers, "ralph.rb"), homebrew(about, sums));
  writeFileSync(join(managers, "ralph.json"), `${JSON.stringify(scoop(about, sums), null, 2)}\n`);
}
const npm = join(root, "dist", "npm");
rmSync(npm, { recursive: true, force: true });
const pack = (folder: string, content: { name: string }, files: readonly (readonly [from: string, to: string])[]) => {
  mkdirSync(join(npm, folder), { recursive: true });
  writeFileSync(join(npm, folder, "package.json"), `${JSON.stringify(content, null, 2)}\n`);
  for (const [from, to] of files) copyFileSync(from, join(npm, folder, to));
};
pack("ralph", mainPackage(manifest), [[join(root, "scripts", "npm-launcher.mjs"), "ralph.mjs"]]);
for (const target of targets.filter((one) => existsSync(programPath(one))))
  pack(target.name, platformPackage(manifest, target), [[programPath(target), programName(target.os)]]);
console.log(`${sums.size} files in ${out}${key === null ? ", not signed" : ""}`);
