import { expect, test } from "bun:test";
import { loadConfig } from "../../../src/effects/git/config-files.ts";
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

test("settings that include themselves, as an agent may leave them, are read to an end", () => {
  let reads = 0;
  const read = () => {
    reads += 1;
    if (reads > 50) throw new Error("without an end");
    return "[include]\n\tpath = own.cfg\n[core]\n\teditor = ./edit\n";
  };
  const env = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/own.cfg" };
  expect(loadConfig({ env, home: "/", windows: false, read }, null).get("core.editor")).toBe("./edit");
});
