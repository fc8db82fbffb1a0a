/**
 * Restores the packages of other platforms in package-lock.json. npm drops optional packages that the registry in use
 * does not carry, or that an installed tree lacks; `npm ci` then refuses the file, here or on another platform.
 * Run it after every change of dependencies; `npm test` notices if you forget.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completeLock } from "./lib/package-lock.ts";
import { root } from "./lib/paths.ts";

const file = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
