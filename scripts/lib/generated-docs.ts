/** The parts of the README that are made from the program's own tables, so that they can't say anything else. */
import { COMMANDS } from "../../src/cli/command-table.ts";
import { ERROR_EXIT_CODES } from "../../src/core/errors.ts";
import { SETTING_NAMES, settingSpec } from "../../src/core/settings/settings.ts";
import { STOP_REASONS } from "../../src/core/stop/stop-reasons.ts";

const PARTS: Readonly<Record<string, () => string>> = {
  commands: () =>
    table(
      ["command", "what it does"],
      Object.entries(COMMANDS).map(([name, { meta }]) => [`\`ralph ${name}\``, meta.description]),
    ),
  settings: () =>
    table(
      ["setting", "flag", "default", "what it is"],
      SETTING_NAMES.map((name) => {
        const { flag, default: value, help } = settingSpec(name);
        const spelling =
          flag === undefined ? "" : `\`${flag.short === undefined ? "" : `-${flag.short} `}--${flag.name}\``;
        return [`\`${name}\``, spelling, shown(value), help];
      }),
    ),
  "exit-codes": () => table(["code", "when"], exitCodes()),
};

/** The text with every part between its markers regenerated. @throws if a marker has no end or an unknown name */
export function withGeneratedParts(text: string): string {
  return text.replace(/<!-- made from the program: ([\w-]+) -->[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const make = PARTS[name];
    if (make === undefined) throw new Error(`there is no part called ${name}`);
    return `<!-- made from the program: ${name} -->\n\n${make()}\n\n<!-- end -->`;
  });
}

function exitCodes(): string[][] {
  const codes = new Map<number, string[]>();
  for (const [reason, { exit }] of Object.entries(STOP_REASONS))
    codes.set(exit, [...(codes.get(exit) ?? []), `\`${reason}\``]);
  for (const [code, exit] of Object.entries(ERROR_EXIT_CODES))
    codes.set(exit, [...(codes.get(exit) ?? []), `${code} error`]);
  return [...codes].sort(([a], [b]) => a - b).map(([code, reasons]) => [String(code), reasons.join(", ")]);
}

function shown(value: unknown): string {
  if (value === null) return "none";
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.length > 4 ? "a wide list" : `\`${value.join(",")}\``;
  return `\`${String(value)}\``;
}

/** A table in the formatter's own style: columns padded to one width. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...escaped.map((row) => [...(row[column] ?? "")].length)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [first = [], ...others] = escaped;
  return [line(first), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...others.map(line)].join("\n");
}
