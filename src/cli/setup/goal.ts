import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { count } from "../../core/text/count.ts";
import { readRegularText } from "../../effects/files/regular-file.ts";
import { makeTemporaryFolder } from "../../effects/files/temporary-folder.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import { readWorkTexts } from "../../effects/project/work-texts.ts";
import { editorCommand } from "../../effects/terminal/editor.ts";
import { runInForeground } from "../../effects/terminal/run-in-foreground.ts";
import { hasNothingToDo } from "../../setup/nothing-to-do.ts";
import { plain } from "../../view/text/text.ts";
import { type Asker, BACK, type Choice, type Gone, isGone, LEFT } from "../ask/asker.ts";
import type { Site } from "./inspect-site.ts";
import type { TaskSource } from "./setup-flags.ts";

/** What is to be done, by the user's word; `agent`: the document `what`, which an agent is to read. */
export type Goal = TaskSource | { from: "agent"; what: string };

/** Most documents that are offered. */
const MOST_DOCUMENTS = 5;
/** What the editor opens with; as a comment it is no part of the answer. */
const EDITOR_TEXT =
  "\n\n<!-- Write above what is to be done, save, and close the editor. Boxes become tasks: - [ ] Sign in -->\n";

/** Whether a project says already what is to be done. */
export function hasWork({ dir, findings: { layout } }: Site): boolean {
  if (layout.modes.length > 0) return true;
  return layout.prompt !== null && !hasNothingToDo(readWorkTexts(projectPaths(dir, null, null)));
}

/** The sources that a folder offers, the likeliest first. */
export function offersOf({ findings: { todo, prds, layout, github } }: Site): Choice<Goal>[] {
  const [first] = prds;
  return [
    ...(todo === null
      ? []
      : [choice(`the ${count(todo.open, "open box", "open boxes")} of ${plain(todo.path)}`, "prd", todo.path)]),
    ...prds
      .slice(0, MOST_DOCUMENTS)
      .map((prd) => choice(`what ${plain(prd)} says, by rules: at once, no cost`, "prd", prd)),
    ...(first === undefined
      ? []
      : [choice(`what ${plain(first)} says, read by an agent: one call, two at most`, "agent", first)]),
    ...(layout.bmad === null ? [] : [choice(`the stories in ${plain(layout.bmad)}`, "bmad")]),
    ...(layout.beads ? [choice("the open tasks of beads", "beads")] : []),
    ...(github === null ? [] : [choice(`the open issues of ${github.owner}/${github.repo}`, "github")]),
  ];
}

function choice(label: string, from: Goal["from"], what: string | null = null): Choice<Goal> {
  return { label, value: { from, what } as Goal };
}

/** Asks what is to be done. What is found is the answer of Enter alone. */
export async function askGoal(asker: Asker, offers: readonly Choice<Goal>[], env: EnvVars): Promise<Goal | Gone> {
  const editor = editorCommand(env, process.platform);
  for (;;) {
    const chosen = await asker.select<Goal | "typed" | "edited">("What is to be done?", [
      ...offers,
      { value: "typed", label: "I type it now" },
      { value: "edited", label: `I write it in ${plain(editor[0] ?? "")}` },
      { value: { from: "none", what: null }, label: "I say it later" },
    ]);
    if (isGone(chosen) || typeof chosen === "object") return chosen;
    const words = chosen === "typed" ? await typedWords(asker) : wordsFromEditor(asker, editor, env);
    if (words === LEFT) return LEFT;
    if (words !== BACK && words.trim() !== "") return { from: "task", what: words };
  }
}

function typedWords(asker: Asker): Promise<string | Gone> {
  return asker.text("In your words: what is to be done?", { placeholder: "Sign in by e-mail" });
}

/** "" if nothing was written. */
function wordsFromEditor(asker: Asker, editor: readonly string[], env: EnvVars): string {
  const folder = makeTemporaryFolder("ralph-goal-");
  try {
    const file = join(folder, "GOAL.md");
    writeFileSync(file, EDITOR_TEXT);
    const code = runInForeground([...editor, file], env);
    if (code === 0)
      return readRegularText(file)
        .replace(/<!--[\s\S]*?-->/g, "")
        .trim();
    asker.say("warn", `${plain(editor.join(" "))} ended with ${code ?? "an error"}. EDITOR names another editor.`);
    return "";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
