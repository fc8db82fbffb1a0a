import { RalphError } from "../../core/errors.ts";
import { type Artifact, readArtifacts } from "../../setup/bmad/artifacts.ts";
import type { Complaint } from "../../setup/bmad/check-bmad-plan.ts";
import { convertBmad } from "../../setup/bmad/convert-bmad.ts";
import type { Content } from "../../setup/prepare.ts";
import type { Site } from "./inspect-site.ts";

/**
 * The stories of a BMAD planning folder.
 * @param folder relative to the site's folder; null if there is none
 * @param project with the specs of an earlier import, if the folder stands elsewhere
 * @param force reports errors of the plan without refusing it
 * @throws RalphError `usage` without a folder or stories, or for a plan with errors
 */
export function bmadContent(
  site: Pick<Site, "files">,
  folder: string | null,
  force = false,
  project: Pick<Site, "files"> = site,
): { content: Content; warnings: string[] } {
  if (folder === null) {
    throw new RalphError("usage", "There is no BMAD planning folder here.", {
      hint: "ralph looks in _bmad/config.yaml, _bmad-output/planning-artifacts and docs/planning. Or: ralph import FOLDER",
    });
  }
  const artifacts = [...readArtifacts(site.files, folder), ...implementation(site, folder)];
  const { content, complaints, stories } = convertBmad(artifacts, folder, project.files);
  if (stories === 0) {
    throw new RalphError("usage", `No story was found in ${folder}.`, {
      hint: "Stories are headings such as: ### Story 1.2: Sign in",
    });
  }
  const errors = complaints.filter(({ level }) => level === "error");
  if (errors.length > 0 && !force) {
    throw new RalphError("usage", errors.map(described).join("\n"), {
      hint: "Fix the plan, or import it as it is with --force.",
    });
  }
  return { content, warnings: complaints.map(described) };
}

const described = ({ code, text }: Complaint) => `${code}: ${text}`;

/** BMAD 6 keeps the stories in progress, and the status of the sprint, beside the planning documents. */
function implementation({ files }: Pick<Site, "files">, folder: string): Artifact[] {
  const [, above, separator] = /^(.*\/)?planning([-_])artifacts$/.exec(folder) ?? [];
  return separator === undefined ? [] : readArtifacts(files, `${above ?? ""}implementation${separator}artifacts`);
}
