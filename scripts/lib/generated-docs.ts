/** The parts of the pages that are made from the program's own tables and from a recorded run, so that they can't say anything else. */
import type { RalphEvent } from "../../src/core/journal/event.ts";
import { commandBlocks } from "./docs/command-blocks.ts";
import { examples } from "./docs/examples.ts";
import { pageFiles, pagesIndex, readPage } from "./docs/pages.ts";
import { performanceTable } from "./docs/performance-table.ts";
import {
  agents,
  commandsHelp,
  commandsTable,
  errorCodes,
  flagsOfAll,
  settingsTables,
  stopReasons,
} from "./docs/program-tables.ts";
import { journalLines, outputOf, recordedLines } from "./docs/recording.ts";
import { terminalSvg } from "./docs/terminal-svg.ts";

const PARTS: Readonly<Record<string, () => string>> = {
  pages: pagesIndex,
  "not-run": notRun,
  commands: commandsTable,
  "commands-help": commandsHelp,
  "flags-of-all": flagsOfAll,
  settings: settingsTables,
  "error-codes": errorCodes,
  "stop-reasons": stopReasons,
  agents,
  performance: performanceTable,
  "demo-journal": demoJournal,
  "demo-report": () => `\`\`\`text\n${outputOf("report")}\n\`\`\``,
};

/** The text with every part between its markers regenerated. @throws if a marker has no end or an unknown name */
export function withGeneratedParts(text: string): string {
  return text.replace(/<!-- made from the program: ([\w-]+) -->[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const make = PARTS[name];
    if (make === undefined) throw new Error(`there is no part called ${name}`);
    return `<!-- made from the program: ${name} -->\n\n${make()}\n\n<!-- end -->`;
  });
}

/** Columns of the recorded terminal. */
const WIDTH = 76;

/** The picture of the recorded demo. */
export function demoPicture(): string {
  return terminalSvg([{ ms: 0, text: "$ ralph demo" }, ...recordedLines(WIDTH)], {
    width: WIDTH,
    about:
      "ralph demo: three iterations. A claim of done with an open box is not believed; a usage limit is waited for; then the run ends.",
  });
}

/** The commands of the pages that no test runs, with the reason. */
function notRun(): string {
  const blocks = [...pageFiles().flatMap((file) => commandBlocks(file, readPage(file))), ...examples()];
  const reasons = Map.groupBy(blocks, ({ use }) => ("notRun" in use ? use.notRun : null));
  const rows = [...reasons].flatMap(([reason, of]) => {
    if (reason === null) return [];
    const commands = new Set(
      of
        .flatMap(({ text }) => text.split("\n").flatMap((line) => /^[^#\s][^#]*/.exec(line) ?? []))
        .map((line) => line.trim()),
    );
    return [`- ${[...commands].map((command) => `\`${command}\``).join(", ")}: ${reason}`];
  });
  return rows.join("\n");
}

/** One line of the recorded journal, and what its first iteration is made of. */
function demoJournal(): string {
  const events = journalLines().map((line): RalphEvent => JSON.parse(line));
  const shown = events.find(({ type }) => type === "agent_usage");
  const types = events.filter(({ iteration }) => iteration === 1).map(({ type }) => `\`${type}\``);
  const order = types.filter((type, index) => !types.slice(0, index).includes(type));
  return `\`\`\`json\n${JSON.stringify(shown, null, 2)}\n\`\`\`\n\n${order.join(", ")}.`;
}
