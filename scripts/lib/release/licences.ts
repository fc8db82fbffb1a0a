import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import type { BundledPackage } from "./packages.ts";

const RULE = "=".repeat(80);
const SHARED = ["LGPL-2.0", "LGPL-2.1", "Apache-2.0"];

/** `LICENSES.txt`: the licence of ralph, of every package in it, and of the runtime. */
export function licences(packages: readonly BundledPackage[]): string {
  const own = (file: string) => readFileSync(join(root, file), "utf8").trim();
  const parts = [
    `ralph\n\n${own("LICENSE")}`,
    `The runtime\n\n${own("scripts/licences/runtime.txt")}`,
    ...packages.map(({ name, version, license, texts }) => {
      const body =
        texts.length === 0 ? `The package names its licence, ${license}, and brings no text.` : texts.join("\n\n");
      return `${name} ${version} (${license})\n\n${body}`;
    }),
    ...SHARED.map((name) => `${name}\n\n${own(`scripts/licences/${name}.txt`)}`),
  ];
  return `${parts.join(`\n\n${RULE}\n`)}\n`;
}
