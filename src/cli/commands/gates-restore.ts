import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { frozenOver } from "../../core/gates/changed-files.ts";
import { count } from "../../core/text/count.ts";
import { writeFileAtomic } from "../../effects/files/atomic-write.ts";
import { makePrivateFolder } from "../../effects/files/private.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import { moveAside } from "../../effects/protect/displace.ts";
import type { CommandContext } from "../context.ts";
import { loadSettings } from "../load-settings.ts";
import { projectState } from "../project-state.ts";
import { recordInNewestRun } from "../reset.ts";
import { compareWithFrozen } from "../run/frozen-gates.ts";
import { gateSettings } from "../run/gate-settings.ts";
import { refuseAgents } from "../run/send-control.ts";

/**
 * `ralph gates restore`: puts the files of the gates back as the newest run froze them. Files that were added since stay, unless
 * they are what weakens the gates; what is replaced is kept in the folder of the run.
 * @throws RalphError `environment` if an agent asks, a run is live, or nothing is frozen
 */
export async function run(context: CommandContext): Promise<number> {
  const ralph = checkRalphDir(context.projectDir);
  if (refuseAgents(context, ralph) !== null)
    throw new RalphError("environment", "A run is live, and its agent works on these files.", {
      hint: "Stop it first with: ralph stop",
    });
  const { state } = await projectState(context.projectDir);
  const compared = await compareWithFrozen(context, state, gateSettings(loadSettings(context).settings, state));
  if (compared === null)
    throw new RalphError("environment", "No run has frozen files of gates here.", {
      hint: "See the gates with: ralph gates",
    });
  const { changed, rules, gateFiles } = compared;
  const blamed = new Set(state.gate_trust.weakened?.reasons.map(({ path }) => path));
  const keep = join(ralph, "runs", state.run, "kept");
  // A link would lead what is kept elsewhere.
  if (lstatSync(keep, { throwIfNoEntry: false })?.isDirectory() === false) moveAside(keep);
  const restored: string[] = [];
  const notes: string[] = [];
  let isKept = false;
  for (const { path, before, after } of changed) {
    const old = before?.content ?? null;
    if (old === null && (before !== null || !blamed.has(path))) continue;
    if (after !== null) {
      makePrivateFolder(keep);
      isKept = true;
      writeFileAtomic(freeName(join(keep, path.replaceAll("/", "__"))), after);
    }
    const aside = gateFiles.write(path, old === null ? null : frozenOver(path, old, after, rules), before?.id);
    if (aside !== null) notes.push(`What stood in the way of ${path} is ${aside} now.\n`);
    restored.push(path);
  }
  // The gates are what they were: nothing about them waits for a person any more.
  if (state.gate_trust.weakened !== null)
    await recordInNewestRun(context, async ({ append }) => append({ type: "gate_restored" }));
  if (!context.args.quiet)
    context.stdout(
      restored.length === 0
        ? "The files of the gates are as they were frozen.\n"
        : `${restored.map((path) => `  ${path}`).join("\n")}\n${count(restored.length, "file")} put back${isKept ? `; what stood there is kept in ${keep}` : ""}.\n${notes.join("")}`,
    );
  return 0;
}

/** What an earlier restore kept stays. */
function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(free)) return free;
  }
}
