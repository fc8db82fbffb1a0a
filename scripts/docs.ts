/** `npm run docs`: updates the generated parts of the README. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withGeneratedParts } from "./lib/generated-docs.ts";

const readme = join(import.meta.dirname, "..", "README.md");
writeFileSync(readme, withGeneratedParts(readFileSync(readme, "utf8")));
