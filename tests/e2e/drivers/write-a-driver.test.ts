/** The guide's drivers, unchanged, in the loop of the compiled program. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import { findDriverProblems, MEMBERS } from "../../../src/driver-host/check-driver.ts";
import { after, type OwnProject, ownProject } from "../support/own-cli.ts";

const guide = readFileSync(join(root, "docs", "write-a-driver.md"), "utf8");

const contract = readFileSync(join(root, "src", "driver.ts"), "utf8");

/** The code block that starts with the name of the driver's file. */
function block(language: string, file: string): string {
  const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const found = blocks.find(([, tag, text = ""]) => tag === language && text.split("\n")[0]?.endsWith(`/${file}`));
  if (found?.[2] === undefined) throw new Error(`the guide has no ${file}`);
  return found[2];
}

const needsBash = process.platform === "win32" || Bun.which("bash") === null || Bun.which("jq") === null;

/** The guide's commands for the driver of the first block, unchanged, without `ralph`. */
function commands(): string[][] {
  const lines = [...guide.matchAll(/^ralph (.* (?:own|--driver own)\b[^#\n]*)/gm)];
  return lines.map(([, words = ""]) => words.trim().split(/\s+/));
}

// The guide's agent is on the PATH; here it is a file in a folder of the project that is added to the PATH.
function inProject(driver: { file: string; text: string }): OwnProject {
  const p = ownProject(driver, { tool: "tools/own-cli" });
  p.env.PATH = `${p.path("tools")}:${p.env.PATH}`;
  return p;
}

describe.each([
  { language: "ts", file: "own.ts", name: "own", skip: process.platform === "win32" },
  { language: "sh", file: "own-sh.sh", name: "own-sh", skip: needsBash },
])("the guide's $file", ({ language, file, name, skip }) => {
  const driver = { file, text: block(language, file) };

  test.skipIf(skip)("runs the loop to its end, in one session", async () => {
    const p = inProject(driver);
    const { exit, stderr } = await p.ralph("run", "--driver", name, "--trust-driver");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(p.event("run_finished")?.stop_reason).toBe("project_complete");
    const calls = p.ownCalls();
    expect(calls.map(({ argv }) => after(argv, "--session"))).toEqual([undefined, "conversation-7", "conversation-7"]);
    for (const { prompt } of calls) expect(prompt).toContain("Do the next task.\n");
    expect(p.event("agent_finished")).toMatchObject({ ok: true, unknown_events: 0 });
  });

  test.skipIf(skip)("passes its live test", async () => {
    const p = inProject(driver);
    const { exit, stdout } = await p.ralph("drivers", "test", name, "--trust-driver", "--yes", "--json");
    const { results, summary } = JSON.parse(stdout);
    expect({ exit, failed: summary.failed }).toEqual({ exit: 0, failed: 0 });
    const labels = results.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(["found", "version", "answered", "tools", "session", "resumed"]);
    expect(p.has("work-1.txt")).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("the guide's own.ts", () => {
  const driver = { file: "own.ts", text: block("ts", "own.ts") };

  test("has its usage files tried by the live test", async () => {
    const named = driver.text.replace("validTools:", 'usageFiles: (_, id) => ["/none/" + id],\n  validTools:');
    const silent = named.replace('type: "usage"', 'type: "ignored"');
    const usage = [];
    for (const text of [named, silent]) {
      const p = inProject({ ...driver, text });
      const { stdout } = await p.ralph("drivers", "test", "own", "--trust-driver", "--yes", "--json");
      usage.push(JSON.parse(stdout).results.find(({ label }: { label: string }) => label === "usage"));
    }
    expect(usage).toMatchObject([
      { passed: true, detail: expect.stringMatching(/^[\d,]+ in, [\d,]+ out tokens$/) },
      { passed: false, required: false, detail: "No tokens were told, nor found in /none/conversation-7." },
    ]);
  });

  test("works with the guide's commands, without a terminal", async () => {
    expect(commands().map((words) => words.slice(0, 2).join(" "))).toEqual([
      "drivers show",
      "prompt --driver",
      "drivers test",
      "run --driver",
    ]);
    const p = inProject(driver);
    for (const words of commands()) {
      const { exit, stdout } = await p.ralph(...words, ...(words[1] === "test" ? ["--yes"] : []));
      expect({ words, exit }).toEqual({ words, exit: 0 });
      expect(stdout).toMatch(/\bown\b|Own CLI/);
    }
  });

  test("answers in plain text where that is asked for", async () => {
    const p = inProject(driver);
    const { exit, stdout } = await p.ralph("run", "--driver", "own", "--trust-driver", "--output-format", "text");
    expect({ exit, stop: p.event("run_finished")?.stop_reason }).toEqual({ exit: 0, stop: "project_complete" });
    expect(stdout).toContain("Step 1 is done.");
    expect(stdout).not.toContain('"kind"');
    expect(p.ownCalls().map(({ argv }) => argv.includes("--jsonl"))).not.toContain(true);
  });
});

test("the guide names every member of a driver", () => {
  expect(Object.keys(MEMBERS).filter((member) => !guide.includes(member))).toEqual([]);
  expect(findDriverProblems({})).toHaveLength(5);
});

test("the guide explains every field of a request", () => {
  const [, fields = ""] = /^export type CommandRequest = \{$([\s\S]*?)^\};$/m.exec(contract) ?? [];
  const names = [...fields.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name = ""]) => name);
  expect(names).toEqual(expect.arrayContaining(["isGitRepository", "shutIn"]));
  const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
  expect(names.filter((name) => !rows.some((row) => row.split("|")[1]?.includes(`\`${name}\``)))).toEqual([]);
});

test("the guide has every event of a decoder with its fields", () => {
  const [, union = ""] = /^export type AgentEvent =$([\s\S]*?);\n\n/m.exec(contract) ?? [];
  const events = union
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
    .split(/^ {2}\| /m)
    .slice(1)
    .map((text) => {
      const fields = [...text.matchAll(/(\w+)\??: /g)].map(([, name = ""]) => name);
      return { type: /type: "(\w+)"/.exec(text)?.[1] ?? "", fields: fields.filter((name) => name !== "type") };
    });
  expect(events).toContainEqual({ type: "retry", fields: ["attempt", "delay_ms", "reason"] });
  const [, usage = ""] = /^export type Usage = \{$([\s\S]*?)^\};$/m.exec(contract) ?? [];
  const figures = [...usage.matchAll(/^ {2}(\w+):/gm)].map(([, name = ""]) => name);
  expect(figures).toContain("turns");
  const [, section = ""] = guide.split("\n## The events of a decoder\n");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const lacking = events.flatMap(({ type, fields }) => {
    const row = rows.find((line) => line.split("|")[1]?.trim() === `\`${type}\``);
    if (row === undefined) return [type];
    const names = type === "usage" ? figures : fields;
    return names.filter((name) => !row.split("|")[2]?.includes(`\`${name}\``)).map((name) => `${type}.${name}`);
  });
  expect(lacking).toEqual([]);
});

test("the guide's whole driver has about forty lines", () => {
  const lines = block("ts", "own.ts")
    .split("\n")
    .filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThan(50);
});
