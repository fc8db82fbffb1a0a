import type { FileAction } from "../../setup/scaffold.ts";
import { style } from "../../view/text/style.ts";
import { plain, wrap } from "../../view/text/text.ts";
import { type Asker, BACK, type Choice, type Gone, isGone, LEFT } from "../ask/asker.ts";
import { actionLines } from "./actions-text.ts";

export type LastPage = {
  actions: readonly FileAction[];
  width: number;
  color: boolean;
  /** A git repository is made as well. */
  begins: boolean;
  /** Whether there is work that a run can begin with. */
  canStart: boolean;
  /** Whether rights and bounds can be changed here. */
  canChange?: boolean;
};

type Answer = "start" | "write" | "change" | "show" | "leave";

function choices(labels: Partial<Record<Answer, string>>): Choice<Answer>[] {
  return Object.entries(labels).map(([value, label]) => ({ value: value as Answer, label }));
}

/** Shows every file, and on demand one file's content, until the user decides. To decline is to leave. */
export async function askLastPage(asker: Asker, page: LastPage): Promise<"start" | "write" | "change" | Gone> {
  const { actions, color, canStart, canChange = false, ...look } = page;
  asker.note("What will be written", actionLines(actions, { style: style(color), ...look }));
  const written = actions.filter((action) => "content" in action);
  const files = written.length === 1 ? "this file" : "these files";
  for (;;) {
    const chosen = await asker.select<Answer>(canStart ? `Write ${files} and start now?` : `Write ${files}?`, [
      ...(canStart
        ? choices({ start: "yes: the first iteration begins", write: "write, and start later" })
        : choices({ write: "yes" })),
      ...(canChange ? choices({ change: "change what a run may do and spend" }) : []),
      ...choices({ show: "look into one first", leave: "no, leave everything as it is" }),
    ]);
    if (chosen === "leave") return LEFT;
    if (chosen !== "show") return chosen;
    if ((await showOne(asker, written, look.width)) === LEFT) return LEFT;
  }
}

/** Shows one file. */
async function showOne(
  asker: Asker,
  written: readonly { path: string; content: string }[],
  width: number,
): Promise<Gone | undefined> {
  const chosen = await asker.select("Which one?", [
    ...written.map((file) => ({ value: file, label: plain(file.path) })),
    { value: null, label: "back" },
  ]);
  if (chosen === null || isGone(chosen)) return chosen ?? BACK;
  asker.note(plain(chosen.path), wrap(plain(chosen.content).trimEnd() || "(empty)", width));
  return undefined;
}
