import { expect, test } from "bun:test";
import { obeyedPaths } from "../../../src/effects/git/obeyed.ts";
import { discoverRepository } from "../../../src/effects/git/repository.ts";
import { createSandbox } from "./git-sandbox.ts";

test("git obeys its settings' files, those that they include, hooks, and what commands name by a path", () => {
  using repo = createSandbox();
  repo.write({ "shared.cfg": '[filter "x"]\n\tclean = sh tools/clean.sh --to=a/b %f\n' });
  for (const [key, value] of [
    ["include.path", "../shared.cfg"],
    ["core.hooksPath", ".husky/_"],
    ["core.fsmonitor", "./tools/watch"],
    ["credential.helper", "!tools/login x"],
    ["diff.pdf.textconv", "pdftotext"],
    ["remote.origin.url", "../other/hub.git"],
  ] as const)
    repo.git("config", key, value);
  const repository = discoverRepository(repo.project);
  if (repository === null) throw new Error("no repository");
  const inProject = obeyedPaths(repository, repo.env).filter((path) => path.startsWith(repo.path("")));
  expect(inProject.map((path) => path.slice(repo.path("").length).replace(/^\//, "")).sort()).toEqual([
    ".git/config",
    ".git/config.worktree",
    ".husky",
    ".husky/_",
    "shared.cfg",
    "tools/clean.sh",
    "tools/login",
    "tools/watch",
  ]);
});
