/** What other users of the machine may read of a run. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const hasPermissions = process.platform !== "win32";
/** What people share through git. */
const SHARED = ["", ".gitignore", ".ralphrc", "@fix_plan.md", "PROMPT.md"];

/** Everything below a folder, and the folder, as paths from it. */
function all(folder: string, at = folder): string[] {
  const below = lstatSync(at).isDirectory() ? readdirSync(at).flatMap((name) => all(folder, join(at, name))) : [];
  return [relative(folder, at).replaceAll("\\", "/"), ...below];
}

/** What is below `.ralph` and not shared, with its permissions where others have any. */
function openToOthers(at: Project): string[] {
  const ralph = at.path(".ralph");
  return all(ralph)
    .filter((name) => !SHARED.includes(name))
    .map((name) => [name, (lstatSync(join(ralph, name)).mode & 0o777).toString(8)] as const)
    .filter(([, mode]) => !mode.endsWith("00"))
    .map(([name, mode]) => `${name} ${mode}`);
}

const umask = (mask: string) => ["sh", "-c", `umask ${mask}; exec "$@"`, "sh"];
const GATED = { QUALITY_GATES: "true", DONE_POLICY: "evidence" };

test.concurrent.skipIf(!hasPermissions).each(["000", "022", "077"])(
  "with umask %s nobody else may read what a run writes below .ralph",
  async (mask) => {
    const at = project({ steps: [works(1, { denied: "rm x" }), works(2)], env: GATED });
    const { exit } = await at.startUnder(umask(mask), "--max-iterations", "2").ended;
    expect(exit).toBe(4);
    expect(all(at.path(".ralph")).length).toBeGreaterThan(20);
    expect(openToOthers(at)).toEqual([]);
  },
);

test.concurrent.skipIf(!hasPermissions)(
  "the plan and the prompt keep the permissions that the umask gives",
  async () => {
    const at = project({ steps: [works(1)] });
    await at.startUnder(umask("002"), "--max-iterations", "1").ended;
    const mode = (name: string) => (statSync(at.path(name)).mode & 0o777).toString(8);
    expect([mode(".ralph/.gitignore"), mode(".ralph/PROMPT.md")]).toEqual(["664", "644"]);
  },
);

test.concurrent.skipIf(!hasPermissions)("what an older ralph left open is closed by the next run", async () => {
  const at = project({ steps: [works(1), works(2)] });
  await at.ralph("--max-iterations", "1");
  const ralph = at.path(".ralph");
  for (const name of all(ralph))
    chmodSync(join(ralph, name), lstatSync(join(ralph, name)).isDirectory() ? 0o755 : 0o644);
  await at.ralph("--max-iterations", "1");
  const reachable = openToOthers(at).filter((row) => !row.includes("/"));
  expect(reachable).toEqual([]);
});

test.concurrent.skipIf(!hasPermissions)(
  "a page of a report is private, and one that was published stays so",
  async () => {
    const at = project({ steps: [works(1)] });
    await at.startUnder(umask("000"), "--max-iterations", "1").ended;
    writeFileSync(at.path("published.html"), "");
    chmodSync(at.path("published.html"), 0o644);
    for (const name of ["new.html", "published.html"])
      await at.startUnder(umask("000"), "report", "--html", name).ended;
    const mode = (name: string) => (statSync(at.path(name)).mode & 0o777).toString(8);
    expect([mode("new.html"), mode("published.html")]).toEqual(["600", "644"]);
  },
);

test.concurrent.skipIf(!hasPermissions)("the user's own folders of ralph are private", async () => {
  const home = (at: Project) => at.env.HOME ?? "";
  const at = project({ steps: [works(1, { cost: 0.25 })] });
  mkdirSync(join(home(at), ".local/state/ralph"), { recursive: true });
  await at.startUnder(umask("000"), "--max-iterations", "1").ended;
  const spending = join(home(at), ".local/state/ralph/spending");
  expect(all(spending).map((name) => (lstatSync(join(spending, name)).mode & 0o077).toString(8))).toEqual(["0", "0"]);
});
