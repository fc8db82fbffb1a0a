import { singleLine } from "../core/text/plain-text.ts";
import { fitPath } from "./text/path.ts";
import type { Look } from "./text/style.ts";
import { columns, fit } from "./text/text.ts";

export type WorktreeRow = {
  name: string;
  branch: string;
  /** The branch it began from; null for a commit. */
  from: string | null;
  project: string;
  /** The first and the last of its ports. */
  ports: readonly [number, number];
  /** How its newest run is or ended, or that the worktree itself is not whole. */
  state: string;
};

/** `ralph worktrees`: two lines each. */
export function worktreeLines(rows: readonly WorktreeRow[], { style, width }: Look): string[] {
  if (rows.length === 0) return ["This project has no worktree.", style.dim("Run in one: ralph run --worktree")];
  const widest = Math.max(...rows.map(({ name }) => columns(name)));
  return rows.flatMap(({ name, branch, from, project, ports, state }) => [
    fit(
      `${name.padEnd(widest)}  ${singleLine(state)} · ${singleLine(branch)}${from === null ? "" : ` from ${singleLine(from)}`} · ports ${ports.join("-")}`,
      width,
    ),
    style.dim(`${" ".repeat(widest + 2)}${fitPath(singleLine(project), Math.max(8, width - widest - 2))}`),
  ]);
}
