import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Of } from "../../../src/effects/files/sha256.ts";
import { stateFolder } from "../../../src/effects/user/home.ts";
import { ownGaps } from "../../../src/effects/user/own-gaps.ts";
import { testFolder } from "../../folders.ts";

const home = testFolder("gaps");
const user = { platform: "linux", env: {}, home } as const;
const fileOf = (project: string) => join(stateFolder(user), "gaps", sha256Of(project).slice(0, 16));

test("a gap that was named is known to later runs in this folder, and in no other", () => {
  ownGaps("/p", user).add("npm test");
  ownGaps("/p", user).add("npm run lint");
  const known = ["/p", "/q"].map((project) => ["npm test", "npm run lint", "rm -rf x"].map(ownGaps(project, user).has));
  expect(known).toEqual([
    [true, true, false],
    [false, false, false],
  ]);
  expect(readFileSync(fileOf("/p"), "utf8")).not.toContain("npm");
});

test("where none can be kept, the run that named it knows it all the same", () => {
  writeFileSync(join(home, "file"), "");
  const nowhere = ownGaps("/p", { ...user, home: join(home, "file") });
  nowhere.add("npm test");
  expect([nowhere.has("npm test"), nowhere.has("npm run lint")]).toEqual([true, false]);
  mkdirSync(fileOf("/r"), { recursive: true });
  expect(ownGaps("/r", user).has("npm test")).toBe(false);
});
