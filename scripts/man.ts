/** `npm run man`: writes `dist/ralph.1`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manPage } from "../src/cli/args/man-page.ts";
import { COMMANDS } from "../src/cli/command-table.ts";
import { root } from "./lib/paths.ts";

mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, "dist", "ralph.1"), manPage(COMMANDS));
