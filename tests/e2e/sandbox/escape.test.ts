/** Thirty and more ways out of a sandbox, tried by a real program in each engine of this machine. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, type Ended, type Project } from "../support/harness.ts";
import { engines, skipped } from "./engines.ts";
import { PROBES } from "./probes.ts";
import {
  type Outside,
  openOutside,
  probeAnswers,
  probeScript,
  processesWith,
  sandboxedProject,
} from "./sandboxed-project.ts";

afterAll(cleanUp);

const OUTSIDE_ENV = {
  OTHER_TOKEN: "tell-nobody",
  SSH_AUTH_SOCK: "/tmp/agent.sock",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
};

type Tried = { made: Project & { out: string }; outside: Outside; ended: Ended; answers: Map<string, string> };

async function attempt(flags: readonly string[], env: Record<string, string>, which = PROBES): Promise<Tried> {
  const made = sandboxedProject("", { ...OUTSIDE_ENV, ...env });
  const outside = await openOutside(made.out);
  made.write("probe.sh", probeScript(outside.facts, which));
  const ended = await made.ralph("run", "--max-iterations", "1", "--trust", ...flags);
  const answers = made.has("probe.out") ? probeAnswers(made.read("probe.out")) : new Map<string, string>();
  outside.close();
  return { made, outside, ended, answers };
}

describe.each(engines)("a sandbox of $name", ({ flags, env }) => {
  let tried: Tried;
  beforeAll(async () => {
    tried = await attempt(flags, env);
  });

  test("runs the agent", () => {
    expect(tried.ended.stderr).toBe("");
    expect(tried.answers.has("end")).toBe(true);
    expect(tried.ended.exit).toBe(4);
  });

  test.each(PROBES.map(({ name }) => name))("holds an agent that %s", (name) => {
    expect(tried.answers.has(name)).toBe(true);
    expect(tried.answers.get(name)).not.toContain("ESCAPED");
  });

  test("leaves nothing outside", () => {
    const { made, outside } = tried;
    expect(outside.reached).toEqual([]);
    expect(readdirSync(made.out).sort()).toEqual(["agent", "bin", "home", "project", "secret"]);
    for (const name of [".bashrc", ".profile", ".npmrc", ".gitconfig"])
      expect(existsSync(join(made.out, "home", name))).toBe(false);
    expect(existsSync(`/tmp/escape-by-tmp-${outside.facts.TEST_PID}`)).toBe(false);
    expect(processesWith(`sleep\0${outside.facts.LONG}`)).toEqual([]);
    expect(processesWith(`sleep ${outside.facts.LONG}`)).toEqual([]);
  });

  test("leaves nothing that git or ralph would obey", () => {
    const { made } = tried;
    for (const name of [".git/commondir", ".git/config.worktree", ".git/info/attributes", ".ralphrc", ".ralph/control"])
      expect(made.has(name)).toBe(false);
    expect(readFileSync(join(made.dir, "checks/test.sh"), "utf8")).toBe("exit 0\n");
    expect(made.read(".git/config")).not.toMatch(/hooksPath|fsmonitor/);
    const notes = made.events().flatMap((event) => (event.type === "note" ? [event.text] : []));
    expect(notes.join("\n")).toContain(".git/commondir (removed");
  });
});

for (const reason of skipped) test.skip(`no probe was tried in ${reason}`, () => {});

test("without a sandbox the same probes get out", async () => {
  const writers = /^writes outside|^goes through a link/;
  const which = PROBES.filter(({ name, free }) => free || writers.test(name));
  const { answers, made } = await attempt([], {}, which);
  for (const name of ["written", "written-up", "by-link"]) expect(existsSync(join(made.out, name))).toBe(true);
  const held = which
    .filter(({ name, free }) => free && !answers.get(name)?.includes("ESCAPED"))
    .map(({ name }) => name);
  expect(held).toEqual([]);
});
