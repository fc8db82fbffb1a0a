import { filesMatching, firstOf, type ProjectFiles } from "./files.ts";

/** What of ralph, or of the systems it takes after, a folder already has. */
export type Layout = {
  /** `ralph`: a `.ralph` folder with a prompt; `partial`: one without; `flat`: files at the root, as of old; `none`. */
  kind: "none" | "partial" | "ralph" | "flat";
  /** Prompt, plan, agent and settings file that count, where they stand. */
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

/** The places in which the loop looks, in its order (`projectPaths` of effects/project-files.ts). */
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
  // A PROMPT.md alone may be anybody's; with one of the other files it is ours.
  if (prompt !== null && firstOf(files, ["@fix_plan.md", "fix_plan.md", "@AGENT.md", ".ralphrc"]) !== null)
    return "flat";
  return files.exists(".ralph") ? "partial" : "none";
}

/** KitStream ralph knows a project by these alone. A name that is no plain word is none to type. */
function modesOf(files: ProjectFiles): string[] {
  const names = ["", ".ralph"].flatMap((folder) => filesMatching(files, folder, /^PROMPT-[A-Za-z0-9][\w.-]*\.md$/));
  return [...new Set(names.map((name) => name.slice("PROMPT-".length, -".md".length)))];
}

/** What BMAD's own settings say, as long as it stays inside the project, else the usual places (as bmalph has it). */
function planningFolder(files: ProjectFiles): string | null {
  const stated = /^\s*planning_artifacts:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(
    files.read("_bmad/config.yaml") ?? "",
  )?.[1];
  const path = stated?.replace("{project-root}/", "").replace(/^\.\//, "").replace(/\/+$/, "") ?? null;
  const isInside =
    path !== null && path !== "" && !/^[/\\~]|^[A-Za-z]:|\{/.test(path) && !path.split(/[/\\]/).includes("..");
  return firstOf(files, [...(isInside ? [path] : []), ...PLANNING]);
}
