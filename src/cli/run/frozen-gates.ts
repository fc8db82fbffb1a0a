import { join } from "node:path";
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { type ChangedFile, changedGateFiles } from "../../core/gates/changed-files.ts";
import { type GateFileRules, gateFileRules, isGateFile } from "../../core/gates/gate-files.ts";
import { FROZEN_FILE, type FrozenFiles, parseFrozen, textOf } from "../../core/gates/kept-gates.ts";
import type { State } from "../../core/journal/state.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { GateFiles } from "../../effects/ports.ts";
import { createGateFiles } from "../../effects/project/gate-files.ts";
import { RALPH_DIR } from "../../effects/project/project-paths.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { present } from "../../run/gate-watch.ts";
import type { CommandContext } from "../context.ts";

/** The gate files that the newest run froze, and those that differ from them now. */
export type FrozenProject = { changed: ChangedFile[]; rules: GateFileRules; gateFiles: GateFiles };

/** Compares a project with the frozen files of its newest run; null if that has none, or they are gone. */
export async function compareWithFrozen(
  { projectDir, env }: Pick<CommandContext, "projectDir" | "env">,
  { gate_trust }: Pick<State, "gate_trust">,
  settings: Settings,
): Promise<FrozenProject | null> {
  if (gate_trust.frozen === null) return null;
  const workspace = createWorkspace(projectDir, { env });
  const runsDir = join(projectDir, RALPH_DIR, "runs");
  const gateFiles = createGateFiles({ project: projectDir, runsDir, filesOf: workspace.files });
  const { run, digest } = gate_trust.frozen;
  const text = gateFiles.kept(run, FROZEN_FILE, digest);
  const frozen: FrozenFiles | null = text === null ? null : parseFrozen(text);
  if (frozen === null) return null;
  const read = (path: string) => {
    const content = frozen.get(path)?.content ?? gateFiles.read(path);
    return content === null ? null : textOf(content);
  };
  const { leadsTo } = gateFiles;
  const found = gateFileRules({ commands: gateCommands(settings), extra: settings.GATE_FILES, read, leadsTo });
  // A link that leads elsewhere now does not name the file any more to which it led.
  const behind = [...frozen.keys()].filter((path) => !isGateFile(path, found));
  const rules = { ...found, named: new Set([...found.named, ...behind]) };
  const now = present(gateFiles, await workspace.snapshot(), rules);
  return { changed: changedGateFiles(gateFiles, frozen, now, rules), rules, gateFiles };
}
