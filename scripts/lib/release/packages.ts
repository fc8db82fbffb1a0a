import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Lock } from "../package-lock.ts";
import { root } from "../paths.ts";
import { run } from "../run-program.ts";

/** An npm package that is compiled into ralph. */
export type BundledPackage = {
  name: string;
  version: string;
  license: string;
  /** `sha512-…`, from the lock file; null for a package bundled inside another one. */
  integrity: string | null;
  /** Texts of its licence and notices. */
  texts: string[];
};

const LEGAL = /^(?:licen[cs]e|copying|notice)/i;

/** Packages that others contain in built form, without their files: name, carrier, licence, owner. */
const CARRIED = [
  { name: "pdfjs-dist", by: "unpdf", license: "Apache-2.0", owner: "the Mozilla Foundation and its contributors" },
];

/** The packages with code in the program, not all that are installed. Sorted by name. */
export async function packagesInside(): Promise<BundledPackage[]> {
  const lock: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const places = new Set((await filesInside()).flatMap((file) => placeOf(file) ?? []));
  const carried = CARRIED.filter(({ by }) => places.has(`node_modules/${by}`)).map(carriedPackage);
  const found = [...places].map((place) => packaged(place, lock));
  return [...found, ...carried].sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function carriedPackage({ name, by, license, owner }: (typeof CARRIED)[number]): BundledPackage {
  const manifest = readFileSync(join(root, "node_modules", by, "package.json"), "utf8");
  const range: string | undefined = JSON.parse(manifest).devDependencies?.[name];
  if (range === undefined) throw new Error(`${by} no longer says which ${name} it was built with`);
  const text = `(c) ${owner}. It is part of the package ${by}, in the form that this was built with. Its licence: ${license}.`;
  return { name, version: range.replace(/^[~^]/, ""), license, integrity: null, texts: [text] };
}

/** The folder of a file's package: `node_modules/a/node_modules/@b/c`. */
export function placeOf(file: string): string | null {
  return (
    /(?:^|\/)((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//
      .exec(file.replaceAll("\\", "/"))?.[1]
      ?.replace(/^.*?(?=node_modules\/)/, "") ?? null
  );
}

/** Every file that the compiler reads. */
async function filesInside(): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), "ralph-inside-"));
  try {
    const meta = join(scratch, "meta.json");
    const entry = join(root, "src", "main.ts");
    const argv = ["build", "--target=bun", `--metafile=${meta}`, `--outdir=${join(scratch, "out")}`, entry];
    const { exitCode, output } = await run([process.execPath, ...argv], { cwd: root });
    if (exitCode !== 0) throw new Error(output);
    return Object.keys(JSON.parse(readFileSync(meta, "utf8")).inputs);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function packaged(place: string, { packages }: Lock): BundledPackage {
  const home = join(root, place);
  const { name, version, license = "UNKNOWN" } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const legal = readdirSync(home)
    .filter((file) => LEGAL.test(file))
    .sort();
  const texts = legal.map((file) => readFileSync(join(home, file), "utf8").replaceAll("\r\n", "\n").trim());
  return { name, version, license, integrity: packages[place]?.integrity ?? null, texts };
}
