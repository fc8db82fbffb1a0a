import { filesMatching, firstOf, type ProjectFiles } from "./files.ts";

/** The files of ralph, or of its predecessors, that a folder already has. */
export type Layout = {
  /**
   * `ralph`: a `.ralph` folder with a prompt; `partial`: one without; `flat`: the old layout, files at the root;
   * `none`.
   */
  kind: "none" | "partial" | "ralph" | "flat";
  /** Paths of the prompt, plan, agent and settings files in effect. */
  prompt: string | null;
  plan: string | null;
  agent: string | null;
  settings: string | null;
  /** Names of the prompts `PROMPT-<mode>.md`, as `ralph run` takes them. */
  modes: string[];
  bmalph: boolean;
  /** The folder of BMAD's planning documents. */
  bmad: string | null;
  beads: boolean;
};

const PLANNING = ["_bmad-output/planning-artifacts", "_bmad-output/planning_artifacts", "docs/planning"] as const;

/** Looks in the same places and order as the loop (`projectPaths` in src/effects). */
export function detectLayout(files: ProjectFiles): Layout {
  const found = {
    prompt: firstOf(files, [".ralph/PROMPT.md", "PROMPT.md"]),
    plan: firstOf(files, [".ralph/@fix_plan.md", ".ralph/fix_plan.md", "@fix_plan.md", "fix_plan.md"]),
    agent: firstOf(files, [".ralph/@AGENT.md", ".ralph/AGENT.md", "@AGENT.md"]),
    settings: firstOf(files, [".ralph/.ralphrc", ".ralphrc"]),
  };
  return {
    ...found,
    kind: layoutKind(files, found.prompt),
    modes: modesOf(files),
    bmalph: files.exists("bmalph/config.json"),
    bmad: planningFolder(files),
    beads: files.exists(".beads"),
  };
}

function layoutKind(files: ProjectFiles, prompt: string | null): Layout["kind"] {
  if (prompt?.startsWith(".ralph/")) return "ralph";
  // A PROMPT.md alone may belong to another tool; beside one of the other files it is ralph's.
  if (prompt !== null && firstOf(files, ["@fix_plan.md", "fix_plan.md", "@AGENT.md", ".ralphrc"]) !== null)
    return "flat";
  return files.exists(".ralph") ? "partial" : "none";
}

/**
 * The modes; KitStream ralph's projects have nothing else. A name that is no plain word cannot be typed and is left
 * out.
 */
function modesOf(files: ProjectFiles): string[] {
  const names = ["", ".ralph"].flatMap((folder) => filesMatching(files, folder, /^PROMPT-[A-Za-z0-9][\w.-]*\.md$/));
  return [...new Set(names.map((name) => name.slice("PROMPT-".length, -".md".length)))];
}

/** The folder in BMAD's own settings if it stays inside the project, else the usual places (as in bmalph). */
function planningFolder(files: ProjectFiles): string | null {
  const stated = /^\s*planning_artifacts:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(
    files.read("_bmad/config.yaml") ?? "",
  )?.[1];
  const path = stated?.replace("{project-root}/", "").replace(/^\.\//, "").replace(/\/+$/, "") ?? null;
  const isInside =
    path !== null && path !== "" && !/^[/\\~]|^[A-Za-z]:|\{/.test(path) && !path.split(/[/\\]/).includes("..");
  return firstOf(files, [...(isInside ? [path] : []), ...PLANNING]);
}
