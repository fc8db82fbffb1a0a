import { count } from "../../core/text/count.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { describeStack, type FoundAgent } from "../../setup/decide-answers.ts";
import type { Commands } from "../../setup/detect/stack.ts";
import { fit, wrap } from "../../view/text/text.ts";
import type { SetupFacts, Site } from "./inspect-site.ts";

const LABEL = 11;
/** A row is shown whole if it fits: which commands were found matters more than the layout. */
const MOST_LINES = 3;

/** The findings about a folder, on a few lines of at most `width` columns. */
export function findingsLines(site: Site, { agents, uncommitted }: SetupFacts, width: number): string[] {
  const { findings } = site;
  const stack = describeStack(findings);
  const rows: (readonly [string, string])[] = [
    ["Folder", site.isNew ? `${site.folder}, new` : site.folder],
    [
      "Project",
      [findings.name, stack].filter((part) => part !== null && part !== "").join(" · ") ||
        (site.isNew ? "" : "nothing that says what it is"),
    ],
    ["Commands", commandsText(findings.commands)],
    ["Git", gitText(site, uncommitted)],
    ["Agents", agentsText(agents)],
    ["Ralph", layoutText(site)],
    ["Tasks", sourcesText(site)],
  ];
  return rows
    .filter(([, text]) => text !== "")
    .flatMap(([label, text]) => {
      const lines = wrap(singleLine(text), Math.max(1, width - LABEL));
      const shown =
        lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), lines.slice(MOST_LINES - 1).join(" ")] : lines;
      return shown.map((line, index) => fit(`${(index === 0 ? label : "").padEnd(LABEL)}${line}`, width));
    });
}

function commandsText(commands: Commands): string {
  return (["build", "test", "run"] as const)
    .flatMap((name) => (commands[name] === null ? [] : [`${name}: ${commands[name]}`]))
    .join(" · ");
}

function gitText({ git, isNew, findings }: Site, uncommitted: boolean): string {
  if (!git.isRepository) return isNew ? "a new repository" : "no repository";
  const branch = git.branch === null ? "no branch" : git.branch;
  const origin = findings.github === null ? "" : ` · ${findings.github.owner}/${findings.github.repo} on GitHub`;
  const state = uncommitted ? ", with changes that are not committed" : git.hasCommit ? "" : ", no commit yet";
  return `${branch}${state}${origin}`;
}

function agentsText(agents: readonly FoundAgent[]): string {
  const found = agents.filter(({ available }) => available);
  if (found.length === 0) return "none on the PATH";
  return found
    .map(({ displayName, version }) =>
      version === null ? `${displayName} (gives no version)` : `${displayName} ${version}`,
    )
    .join(" · ");
}

function layoutText({ findings: { layout } }: Site): string {
  const parts = [
    ...(layout.kind === "ralph" ? ["a Ralph project already"] : []),
    ...(layout.kind === "partial" ? ["some of its files are here"] : []),
    ...(layout.kind === "flat" ? ["files at the root, the old layout (--migrate moves them)"] : []),
    ...layout.modes.slice(0, 4).map((mode) => `PROMPT-${mode}.md`),
    ...(layout.bmalph ? ["bmalph"] : []),
  ];
  return parts.join(" · ");
}

function sourcesText({ findings }: Site): string {
  return [
    ...(findings.todo === null
      ? []
      : [`${findings.todo.path} (${count(findings.todo.open, "open box", "open boxes")})`]),
    ...(findings.prds.length === 0 ? [] : [firstNames(findings.prds, 1)]),
    ...(findings.layout.bmad === null ? [] : [`BMAD in ${findings.layout.bmad}`]),
    ...(findings.layout.beads ? ["beads"] : []),
    ...(findings.github === null ? [] : ["GitHub issues"]),
  ].join(" · ");
}
