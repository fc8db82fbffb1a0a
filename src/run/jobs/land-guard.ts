/** Keeps a branch from landing that makes the checks of the target weaker (product.md "Land"). */
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { compareGateFiles } from "../../core/gates/compare.ts";
import { gateParts, isMixed, withFrozenParts } from "../../core/gates/frozen-parts.ts";
import { type GateFileRules, gateFileRules, isCheck, isGateFile } from "../../core/gates/gate-files.ts";
import { weakerMessage } from "../../core/land/messages.ts";
import { changedLines } from "../../core/text/changed-lines.ts";
import type { ChangedText, LandYard } from "../../effects/ports.ts";
import type { Run } from "../run.ts";
import { runGatesIn } from "./gates.ts";

const DIFF_LINES = 12;

/** The gates of the target: its files, and the commands of the project's settings. */
export type LandGuard = {
  /** What a commit changes in the files of the gates, if by their words they check less then; null otherwise. */
  suspect(commit: string): Promise<Suspect | null>;
  /**
   * Runs the gates as they are on the target on a commit.
   * @returns what its author is told if they are red; null if they hold; "stopped"
   */
  judge(suspect: Suspect, name: string): Promise<string | null | "stopped">;
};

export type Suspect = { commit: string; changes: readonly ChangedText[]; message: string };

/** @param yard with the target checked out */
export function createLandGuard(run: Run, yard: LandYard): LandGuard {
  const { settings } = run;
  const { read, leadsTo } = yard;
  const rules = gateFileRules({ commands: gateCommands(settings), extra: settings.GATE_FILES, read, leadsTo });
  return {
    async suspect(commit) {
      const changes = await yard.changes(commit, (path) => isGateFile(path, rules));
      const parts = changes.map(({ path, before, after }) => ({
        path,
        before: part(path, before, rules),
        after: part(path, after, rules),
        isCheck: isCheck(path, rules),
      }));
      const change = compareGateFiles(parts);
      if (change.kind !== "weaker") return null;
      const diff = changes
        .map(({ path, before, after }) => [path, ...changedLines(before ?? "", after ?? "", DIFF_LINES)].join("\n"))
        .join("\n\n");
      return { commit, changes, message: weakerMessage(change.reasons, diff, yard.target) };
    },
    async judge({ commit, changes, message }, name) {
      const dir = await yard.checkOut(commit);
      yard.lay(new Map(changes.map((file) => [file.path, asOnTarget(file, rules)])));
      const result = await runGatesIn(run, { dir, name });
      if (result === null) return "stopped";
      return result.red === null ? null : message;
    },
  };
}

function part(path: string, text: string | null, rules: GateFileRules): string | null {
  return text === null ? null : gateParts(path, text, rules);
}

/** The file with the gate's parts as on the target, and all else as the branch has it. */
function asOnTarget({ path, before, after }: ChangedText, rules: GateFileRules): string | null {
  if (before === null || after === null || !isMixed(path)) return before;
  return withFrozenParts(path, before, after, rules);
}
