import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import { count } from "../../core/text/count.ts";
import { stripAnsi } from "../../core/text/plain-text.ts";
import { createScratchFolder } from "../../effects/files/scratch-folder.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import { editorCommand } from "../../effects/terminal/editor.ts";
import { editorAtLine } from "../../effects/terminal/editor-at-line.ts";
import { runBeside } from "../../effects/terminal/run-beside.ts";
import type { Screen } from "../../effects/terminal/screen.ts";
import type { EditTarget } from "../../view/dashboard/edit-target.ts";
import { createOutputLines } from "../../view/dashboard/output-lines.ts";
import { oscCopy } from "../../view/text/osc.ts";
import type { Shorten } from "../../view/text/path.ts";
import { style } from "../../view/text/style.ts";

/** What a dashboard's user takes along from the screen. */
export type Desk = {
  /** @returns what to tell the user */
  copy(lines: readonly string[]): string;
  /**
   * Opens the user's editor on this terminal; resolves when it has ended.
   * @param events the shown output
   * @returns what to tell the user; null for nothing
   */
  edit(target: EditTarget, events: readonly EventStep[]): Promise<string | null>;
};

const TEXT_WIDTH = 100;

export function createDesk(
  screen: Pick<Screen, "send" | "lend">,
  project: string,
  env: EnvVars,
  shorten: Shorten,
): Desk {
  const open = async (file: string, line: number | null = null): Promise<string | null> => {
    const argv = editorCommand(env, process.platform);
    let told: string | null = null;
    await screen.lend(async () => {
      try {
        const exit = await runBeside(editorAtLine(argv, file, line), env);
        if (exit !== 0) told = `The editor ${argv[0]} ended with ${exit ?? "a signal"}.`;
      } catch {
        told = `The editor ${argv[0]} cannot be started: name yours with EDITOR.`;
      }
    });
    return told;
  };
  return {
    copy(lines) {
      const text = lines.map((line) => stripAnsi(line).trimEnd()).join("\n");
      if (text.trim() === "") return "There is nothing to copy here.";
      const sequence = oscCopy(text, env);
      if (sequence === null) return "This is too long for a terminal's clipboard: e opens it in your editor.";
      screen.send(sequence);
      return `Sent ${count(lines.length, "line")} to the terminal's clipboard.`;
    },
    async edit(target, events) {
      if (target.what === "output") return openText(outputText(events, shorten), open);
      const file = target.what === "plan" ? projectPaths(project, null, null).plan : resolve(project, target.path);
      if (file === null) return "The project has no file of a plan.";
      const line = target.what === "plan" ? target.line : null;
      return existsSync(file) ? open(file, line) : `${basename(file)} is no longer there.`;
    },
  };
}

function outputText(events: readonly EventStep[], shorten: Shorten): string {
  const options = { width: TEXT_WIDTH, style: style(false), shorten, detail: true, changes: null };
  return createOutputLines()(events, options)
    .map(({ text }) => `${text}\n`)
    .join("");
}

/** Shows a text in the editor, in a file that goes when the editor has ended. */
async function openText(text: string, open: (file: string) => Promise<string | null>): Promise<string | null> {
  const scratch = createScratchFolder("ralph-output-");
  try {
    scratch.write("output.txt", text);
    return await open(scratch.path("output.txt"));
  } finally {
    scratch.remove();
  }
}
