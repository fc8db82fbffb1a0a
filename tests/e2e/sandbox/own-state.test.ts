/** What an agent can leave in its own folders, where a later start of it outside would find it. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { engines } from "./engines.ts";
import { sandboxedProject } from "./sandboxed-project.ts";

afterAll(cleanUp);

const OF_THE_USER = {
  ".claude.json": '{"mcpServers":{}}\n',
  ".claude/CLAUDE.md": "Be kind.\n",
  ".claude/settings.json": "{}\n",
  ".claude/statusline.sh": "echo status\n",
  ".claude/output-styles/own.md": "Short.\n",
  ".claude/plugins/one/plugin.json": "{}\n",
  ".claude/shell-snapshots/of-a-session.sh": "true\n",
  ".dotfiles/keybindings.json": "{}\n",
};

const SCRIPT = `cd "$HOME"
grep -q mcpServers .claude.json && echo READ
echo '{"mcpServers":{"x":{"command":"/tmp/evil"}}}' > .claude.json; grep -q evil .claude.json && echo OWN
for f in CLAUDE.md settings.json statusline.sh output-styles/own.md plugins/one/plugin.json shell-snapshots/of-a-session.sh keybindings.json; do
  mkdir -p "$(dirname ".claude/$f")"; echo evil > ".claude/$f"; echo evil > .claude/t; mv -f .claude/t ".claude/$f"; rm -f ".claude/$f"
done
for f in settings.local.json commands/x.md agents/x.md rules/x.md hooks/x.sh skills/x/SKILL.md workflows/x.js; do
  mkdir -p "$(dirname ".claude/$f")"; echo evil > ".claude/$f"
done
echo renewed > .claude/.credentials.json
mkdir -p .claude/projects/p; echo said >> .claude/projects/p/one.jsonl
`;

describe.each(engines)("an agent in a sandbox of $name", ({ flags, env }) => {
  test("leaves nothing in its own folders but its login and its conversations", async () => {
    const made = sandboxedProject(SCRIPT, env);
    const home = join(made.out, "home");
    for (const [name, text] of Object.entries({ ...OF_THE_USER, ".claude/.credentials.json": "login\n" })) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    symlinkSync("../.dotfiles/keybindings.json", join(home, ".claude/keybindings.json"));
    const before = readdirSync(join(home, ".claude")).sort();
    const { exit, stderr } = await made.ralph("run", "--max-iterations", "2", "--trust", ...flags);
    expect({ exit, stderr }).toEqual({ exit: 4, stderr: "" });
    expect(made.read("probe.out")).toContain("READ\nOWN\n");
    for (const [name, text] of Object.entries(OF_THE_USER)) expect(readFileSync(join(home, name), "utf8")).toBe(text);
    const after = readdirSync(join(home, ".claude")).filter(
      (name) => !["plans", "projects", "tasks", "todos"].includes(name),
    );
    expect(after.sort()).toEqual(before);
    expect(readFileSync(join(home, ".claude/.credentials.json"), "utf8")).toBe("renewed\n");
    expect(readFileSync(join(home, ".claude/projects/p/one.jsonl"), "utf8")).toBe("said\nsaid\n");
    expect(existsSync(join(home, ".claude/keybindings.json"))).toBe(true);
  });
});

test.skipIf(engines.length === 0)("copies of the agent's files are gone when the run is", async () => {
  const [first] = engines;
  const made = sandboxedProject("", first?.env);
  writeFileSync(join(made.out, "home/.claude.json"), "only-here-4711\n");
  await made.ralph("run", "--max-iterations", "1", "--trust", ...(first?.flags ?? []));
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith("ralph-way-"));
  const copies = left.flatMap((name) => {
    try {
      return readdirSync(join(tmpdir(), name), { recursive: true }).filter((file) =>
        String(file).endsWith(".claude.json"),
      );
    } catch {
      return []; // another run's, which ended
    }
  });
  expect(
    copies.filter((file) => readFileSync(join(tmpdir(), String(file)), "utf8").includes("only-here-4711")),
  ).toEqual([]);
});
