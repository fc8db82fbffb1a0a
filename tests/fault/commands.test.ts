/** Commands that change files are killed before each change, or each change fails: what was there stays, and a second try does it. */
import { afterAll, describe, expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { cleanUp, copyOf, type Project, project } from "../e2e/support/harness.ts";
import { canInject, EVERY_FAULT, FAULTS, faultOf, inLanes, pointsOf, strikingAt } from "./inject.ts";
import { aMinuteLater, planProject } from "./plan-run.ts";

afterAll(cleanUp);

const MINUTES = 60_000;
const PRD = "# Shop\n\n## Requirements\n\n- FR-1: Sign in with e-mail\n- FR-2: Pay by card\n- FR-3: See all orders\n";
const OWN = { "README.md": "# Mine\n", "src.txt": "0\n", "AGENTS.md": "Be careful.\n" };
const RC = "# what I set, and why\nMAX_CALLS_PER_HOUR=50 # few\nCLAUDE_TIMEOUT_MINUTES=10\n";

const PLAN = ".ralph/@fix_plan.md";

type Command = { name: string; argv: string[]; make: () => Project | Promise<Project> };

const commands: Command[] = [
  { name: "setup", argv: ["setup", "--yes", "--shims"], make: () => project({ files: OWN }) },
  {
    name: "import",
    argv: ["import", "prd.md", ".", "--no-agent", "--yes"],
    make: () => project({ files: { ...OWN, "prd.md": PRD } }),
  },
  {
    name: "import of a changed document",
    argv: ["import", "prd.md", ".", "--no-agent", "--yes"],
    make: imported,
  },
  {
    name: "config set",
    argv: ["config", "set", "MAX_CALLS_PER_HOUR=7"],
    make: () => project({ files: { ...OWN, ".ralph/.ralphrc": RC, ".ralph/PROMPT.md": "Go on.\n" } }),
  },
  { name: "plan done", argv: ["plan", "done", "2"], make: () => project() },
  { name: "session reset", argv: ["session", "reset"], make: finished },
  { name: "runs prune", argv: ["runs", "prune", "--keep", "1", "--yes"], make: twice },
];

async function imported(): Promise<Project> {
  const at = project({ files: { ...OWN, "prd.md": PRD } });
  await at.ralph("import", "prd.md", ".", "--no-agent", "--yes");
  at.write("prd.md", `${PRD.replace("e-mail", "e-mail and password")}- FR-4: Refund\n`);
  return at;
}

async function finished(): Promise<Project> {
  const at = planProject();
  await at.ralph();
  return at;
}

/** A finished run, and an earlier one of the same words. */
async function twice(): Promise<Project> {
  const at = await finished();
  await at.ralph("--max-iterations", "1");
  return at;
}

/** Each file but those of git, with times, ids and this machine's folders taken out. */
function files(at: Project): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (folder: string) => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) {
        if (name !== ".git") walk(path);
      } else if (stat.isFile()) found.set(relative(at.dir, path), steady(readFileSync(path, "utf8"), at.dir));
    }
  };
  walk(at.dir);
  return found;
}

const steady = (text: string, dir: string) =>
  text
    .replaceAll(dir, "DIR")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, "TIME")
    .replace(/\d\d:\d\d:\d\d/g, "TIME");

/** What a person wrote or a plan holds; what a run writes for itself, and each try keeps, may differ between two tries. */
const ofThePerson = (at: Project) =>
  new Map(
    [...files(at)].filter(
      ([path]) => !/^\.ralph\/(?:runs|logs|status|progress|live|backups|\.)/.test(path) || path.endsWith(".ralphrc"),
    ),
  );

/** The specs that the plan's tasks name. */
const specsOfPlan = (at: Project) =>
  at.has(PLAN) ? new Set(at.read(PLAN).match(/\.ralph\/specs\/[\w.-]+\.md/g)) : new Set<string>();

const temporary = (at: Project) => [...files(at).keys()].filter((path) => /\.tmp$|\.new$|lock$|takeover/.test(path));

describe.skipIf(!canInject).each(commands)("ralph $name", ({ argv, make }) => {
  /** Of both tests. */
  let known: ReturnType<typeof found> | undefined;
  const outcomes = () => {
    known ??= found();
    return known;
  };
  async function found() {
    const before = await make();
    const made = copyOf(before);
    const [old, points] = [ofThePerson(before), await pointsOf(before, argv)];
    return { made, old, points, whole: ofThePerson(before) };
  }

  test(
    "killed before any of its changes leaves each file as it was or as it becomes, and a second try ends it",
    async () => {
      const { made, old, points, whole } = await outcomes();
      expect(points.length).toBeGreaterThan(2);
      await inLanes(points, async (point) => {
        const at = copyOf(made);
        await at.startUnder(strikingAt(point, "signal=SIGKILL"), ...argv).ended;
        const passing = temporary(at);
        for (const [path, text] of ofThePerson(at)) {
          if (passing.includes(path)) continue;
          expect({ point, path, text: [old.get(path), whole.get(path)].includes(text) ? "whole" : text }).toEqual({
            point,
            path,
            text: "whole",
          });
        }
        for (const path of old.keys())
          if (whole.has(path)) expect([point, path, at.has(path)]).toEqual([point, path, true]);
        // A run that begins now would work without what its tasks are about.
        for (const path of specsOfPlan(at)) expect([point, path, at.has(path)]).toEqual([point, path, true]);
        aMinuteLater(at);
        const { exit, stderr } = await at.ralph(...argv);
        expect({ point, exit, stderr: exit === 0 ? "" : stderr }).toEqual({ point, exit: 0, stderr: "" });
        expect({ point, left: temporary(at) }).toEqual({ point, left: [] });
        expect(Object.fromEntries(ofThePerson(at))).toEqual(Object.fromEntries(whole));
      });
    },
    30 * MINUTES,
  );

  test(
    "that meets a failing disk at any of its changes says so, or does without it, and loses nothing",
    async () => {
      const { made, old, points, whole } = await outcomes();
      let refused = 0;
      const fallible = points.filter(({ call }) => call !== "vfork" && call !== "unlinkat");
      const struck = fallible.flatMap((point, n) =>
        (EVERY_FAULT ? FAULTS : [faultOf(n)]).map((fault) => ({ point, ...fault })),
      );
      await inLanes(struck, async ({ point, code, says }) => {
        const at = copyOf(made);
        const { exit, stderr } = await at.startUnder(strikingAt(point, `error=${code}`), ...argv).ended;
        if (exit !== 0) {
          refused += 1;
          expect({ point, code, exit, stderr }).toMatchObject({ exit: 7, stderr: expect.stringMatching(says) });
        }
        for (const path of old.keys())
          if (whole.has(path)) expect([point, path, at.has(path)]).toEqual([point, path, true]);
        const again = await at.ralph(...argv);
        expect({ point, code, exit: again.exit, stderr: again.exit === 0 ? "" : again.stderr }).toEqual({
          point,
          code,
          exit: 0,
          stderr: "",
        });
        expect({ point, code, files: Object.fromEntries(ofThePerson(at)) }).toEqual({
          point,
          code,
          files: Object.fromEntries(whole),
        });
      });
      expect(refused > 0).toBe(fallible.length > 0);
    },
    30 * MINUTES,
  );
});
