import type { EventOf, Evidence, RalphEvent } from "../journal/event.ts";
import { evidencePath, type ProjectFolder } from "../report/line-changes.ts";
import { countDiff, type FileDiff } from "./file-diff.ts";
import { diffLines, quoted } from "./unified-diff.ts";

/** The hunks of an agent's edit; where it stands in the file, nobody knows. A written file is all new lines. */
export function editHunks(call: EventOf<"agent_tool_started">): string[] {
  if (call.tool === "Edit") return diffLines(call.input.old_string, call.input.new_string);
  return call.tool === "Write" ? diffLines("", call.input.content) : [];
}

type Edit = { call: EventOf<"agent_tool_started">; path: string };

/**
 * What the agent's tools reported that they changed: all that is known where no commit and no work tree tells it. Failed calls
 * changed nothing.
 * @param keep whether an iteration's change of a file is told
 */
export function toolDiffs(
  events: Iterable<RalphEvent>,
  project: ProjectFolder,
  keep: (path: string, iteration: number) => boolean,
): FileDiff[] {
  const calls = new Map<string, Edit>();
  for (const event of events) {
    if (event.type === "agent_tool_finished" && event.is_error) calls.delete(`${event.call} ${event.tool_use_id}`);
    if (event.type !== "agent_tool_started" || (event.tool !== "Edit" && event.tool !== "Write")) continue;
    const path = evidencePath(event.input.file_path, project);
    if (keep(path, event.iteration)) calls.set(`${event.call} ${event.tool_id}`, { call: event, path });
  }
  return [...Map.groupBy(calls.values(), ({ path }) => path)]
    .map(([path, edits]) => editsOf(path, edits))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function editsOf(path: string, edits: readonly Edit[]): FileDiff {
  let number = 0;
  let known: string | null = null;
  const hunks: string[] = [];
  for (const { call } of edits) {
    // A file that was written before is known whole.
    const all = call.tool === "Write" && known !== null ? diffLines(known, call.input.content) : editHunks(call);
    if (call.tool === "Write") known = call.input.content;
    else if (call.tool === "Edit") known = edited(known, call.input);
    if (all.length === 0) continue;
    number += 1;
    hunks.push(
      `@@ ${call.tool === "Write" ? "written" : "edit"} ${number} @@`,
      ...all.filter((line) => !line.startsWith("@@")),
    );
  }
  const name = quoted(path);
  const head = hunks.length === 0 ? [] : [`--- a/${name}`, `+++ b/${name}`];
  const change = edits[0]?.call.tool === "Write" ? "added" : "changed";
  const lines = [`diff --git a/${name} b/${name}`, ...head, ...hunks];
  return { path, from: null, change, ...countDiff(hunks), omitted: null, lines };
}

function edited(
  text: string | null,
  { old_string, new_string }: { old_string: string; new_string: string },
): string | null {
  if (text === null || old_string === "") return null;
  const at = text.indexOf(old_string);
  return at === -1 ? null : text.slice(0, at) + new_string + text.slice(at + old_string.length);
}

/** Ralph's own files, and paths outside the project. */
const NO_WORK = /^(?:\.ralph\/|\.\.\/|\/|[a-z]:)/i;

/**
 * Which paths an iteration changed by what was observed. Complete evidence decides: a reverted edit, an edit of an ignored file
 * and an identical rewrite changed nothing.
 * @param evidence null for an iteration without a recorded end
 */
export function changedBy(evidence: Evidence | null): (path: string) => boolean {
  if (evidence === null || evidence.files_changed_count > evidence.files_changed.length)
    return (path) => !NO_WORK.test(path);
  const changed = new Set(evidence.files_changed);
  return (path) => changed.has(path);
}
