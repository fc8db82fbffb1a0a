/**
 * `npm run docs`: updates the parts of the pages that are made from the program, and the picture of the recorded demo.
 * `-- --record` records the demo anew first, with the compiled program.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pageFiles, readPage } from "./lib/docs/pages.ts";
import { record } from "./lib/docs/recording.ts";
import { demoPicture, withGeneratedParts } from "./lib/generated-docs.ts";
import { root } from "./lib/paths.ts";

const { values: flags } = parseArgs({ options: { record: { type: "boolean" } } });

// The recorded times are those of no place.
process.env.TZ = "UTC";
if (flags.record) record();
writeFileSync(join(root, "docs", "assets", "demo.svg"), demoPicture());
for (const file of pageFiles()) {
  const page = readPage(file);
  const made = withGeneratedParts(page);
  if (made !== page) writeFileSync(join(root, file), made);
}
