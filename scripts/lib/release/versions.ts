import { parseVersion } from "../../../src/core/release/semver.ts";
import { dateOf, notesOf } from "./changelog.ts";

/** The places that name the version; the tag is empty in a dry run. */
export type Places = { version: string; lock: string; changelog: string; tag: string };

/** The disagreements of a release, one sentence each. */
export function disagreements({ version, lock, changelog, tag }: Places): string[] {
  const found: string[] = [];
  if (parseVersion(version) === null) found.push(`package.json: ${version} is no semantic version`);
  if (lock !== version) found.push(`package-lock.json says ${lock}, package.json ${version}`);
  if (tag === "") return found;
  if (tag !== `v${version}`) found.push(`the tag is ${tag}, package.json says ${version}`);
  if ((notesOf(changelog, version) ?? "") === "") found.push(`CHANGELOG.md says nothing about ${version}`);
  else if (dateOf(changelog, version) === null) found.push(`CHANGELOG.md has no date for ${version}`);
  return found;
}
