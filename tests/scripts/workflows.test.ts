import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TARGETS } from "../../scripts/lib/build/targets.ts";
import { root } from "../../scripts/lib/paths.ts";
import { disagreements } from "../../scripts/lib/release/versions.ts";

const workflow = (name: string) => readFileSync(join(root, ".github", "workflows", name), "utf8");

describe.each(["ci.yml", "release.yml"])("%s", (name) => {
  const text = workflow(name);
  const parsed = Bun.YAML.parse(text) as { permissions: unknown; jobs: Record<string, { needs?: string | string[] }> };

  test("pins every action by commit, with its version beside it", () => {
    const used = text.match(/uses: .*/g) ?? [];
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });
  test("has read-only permissions, unless a job says otherwise", () =>
    expect(parsed.permissions).toEqual({ contents: "read" }));
  test("needs only jobs that exist", () => {
    const needed = Object.values(parsed.jobs).flatMap(({ needs = [] }) => needs);
    expect(needed.filter((job) => !Object.hasOwn(parsed.jobs, job))).toEqual([]);
  });
  test("puts no event data into a script", () => {
    const scripts = text.match(/run: \|[\s\S]*?(?=\n {6}- |\n {2}\w|$)|run: .*/g) ?? [];
    expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
  });
});

test("the release runs each program on its own system", () => {
  const targets = [...workflow("release.yml").matchAll(/target: ([\w-]+)/g)].map(([, target]) => target);
  expect(targets.sort()).toEqual(TARGETS.map(({ name }) => name).sort());
});

test("a manual run publishes nothing, whichever branch or tag is chosen", () => {
  const { jobs } = Bun.YAML.parse(workflow("release.yml")) as { jobs: { publish: { if: string } } };
  expect(jobs.publish.if).toBe("github.event_name == 'push'");
});

describe("a release", () => {
  const right = { version: "1.2.3", lock: "1.2.3", tag: "v1.2.3", changelog: "## [1.2.3] - 2026-11-22\n\n- new\n" };
  test("without disagreements goes on", () => expect(disagreements(right)).toEqual([]));
  test.each([
    [{ tag: "v1.2.4" }, "the tag is v1.2.4, package.json says 1.2.3"],
    [{ lock: "1.2.2" }, "package-lock.json says 1.2.2, package.json 1.2.3"],
    [{ changelog: "## [1.2.2] - 2026-01-01\n\n- old\n" }, "CHANGELOG.md says nothing about 1.2.3"],
    [{ changelog: "## [1.2.3]\n\n- new\n" }, "CHANGELOG.md has no date for 1.2.3"],
    [{ version: "1.2", lock: "1.2", tag: "" }, "package.json: 1.2 is no semantic version"],
  ])("with %p stops", (wrong, why) => expect(disagreements({ ...right, ...wrong })).toEqual([why]));
});
