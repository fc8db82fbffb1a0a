/**
 * `node scripts/bootstrap.mjs release-notes --tag v1.2.3`: checks that package.json, the lock file, the changelog and
 * the tag name one version, and prints the changelog's section about it.
 * Without a tag (a dry run) the changelog need not have the version yet.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.ts";
import { notesOf } from "./lib/release/changelog.ts";
import { disagreements } from "./lib/release/versions.ts";

const { values } = parseArgs({ options: { tag: { type: "string", default: "" } } });
const read = (name: string) => readFileSync(join(root, name), "utf8");
const { version }: { version: string } = JSON.parse(read("package.json"));
const changelog = read("CHANGELOG.md");
const lock: { version?: string } = JSON.parse(read("package-lock.json"));
const problems = disagreements({ version, lock: lock.version ?? "", changelog, tag: values.tag });
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(notesOf(changelog, version) ?? notesOf(changelog, "Unreleased") ?? "");
