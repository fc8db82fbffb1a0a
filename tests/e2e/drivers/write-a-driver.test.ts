/** The drivers of the guide, as they stand in it, in the loop of the compiled program. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import { findDriverProblems, MEMBERS } from "../../../src/driver-host/check-driver.ts";
import { after, ownProject } from "../support/own-cli.ts";

const guide = readFileSync(join(root, "docs", "write-a-driver.md"), "utf8");

/** The block of code that begins with the name of the driver's file. */
function block(language: string, file: string): string {
  const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const found = blocks.find(([, tag, text = ""]) => tag === language && text.split("\n")[0]?.endsWith(`/${file}`));
  if (found?.[2] === undefined) throw new Error(`the guide has no ${file}`);
  return found[2];
}

const needsBash = process.platform === "win32" || Bun.which("bash") === null || Bun.which("jq") === null;

describe.each([
  { language: "ts", file: "own.ts", name: "own", skip: process.platform === "win32" },
  { language: "sh", file: "own-sh.sh", name: "own-sh", skip: needsBash },
])("the guide's $file", ({ language, file, name, skip }) => {
  const driver = { file, text: block(language, file) };
  // The guide's agent is on the PATH; here it stands in a folder of the project that is put there.
  const inProject = () => {
    const p = ownProject(driver, { tool: "tools/own-cli" });
    p.env.PATH = `${p.path("tools")}:${p.env.PATH}`;
    return p;
  };

  test.skipIf(skip)("runs the loop to its end, in one session", async () => {
    const p = inProject();
    const { exit, stderr } = await p.ralph("run", "--driver", name, "--trust-driver");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(p.event("run_finished")?.stop_reason).toBe("project_complete");
    const calls = p.ownCalls();
    expect(calls.map(({ argv }) => after(argv, "--session"))).toEqual([undefined, "conversation-7", "conversation-7"]);
    for (const { prompt } of calls) expect(prompt).toContain("Do the next task.\n");
    expect(p.event("agent_finished")).toMatchObject({ ok: true, unknown_events: 0 });
  });

  test.skipIf(skip)("passes its live test", async () => {
    const p = inProject();
    const { exit, stdout } = await p.ralph("drivers", "test", name, "--trust-driver", "--yes", "--json");
    const { results, summary } = JSON.parse(stdout);
    expect({ exit, failed: summary.failed }).toEqual({ exit: 0, failed: 0 });
    const labels = results.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(["found", "version", "answered", "tools", "session", "resumed"]);
    expect(p.has("work-1.txt")).toBe(false);
  });
});

test("the guide names every member of a driver", () => {
  expect(Object.keys(MEMBERS).filter((member) => !guide.includes(member))).toEqual([]);
  expect(findDriverProblems({})).toHaveLength(5);
});

test("the whole driver of the guide is some forty lines", () => {
  const lines = block("ts", "own.ts")
    .split("\n")
    .filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThan(50);
});
