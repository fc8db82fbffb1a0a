import { RalphError } from "../../core/errors.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { isDriverName } from "../check-driver.ts";
import type { HookAnswer } from "./hook-answer.ts";

/** What a bash driver states about itself; missing hooks have the contract's defaults. */
export type ShellFacts = {
  name: string;
  displayName: string;
  cliBinary: string;
  validTools: readonly string[];
  toolAllowlist: boolean;
  sessions: boolean;
  liveOutput: boolean;
  /** The jq filter; null if there is none or it prints nothing. */
  streamFilter: string | null;
  minVersion: string | null;
  hooks: ReadonlySet<string>;
};

const VERSION = /^\d+(?:\.\d+)*$/;

/**
 * Reads the answer of `describe`.
 * @param stderr bash's messages, which may explain why hooks are missing
 * @throws RalphError `config` with everything that is missing or wrong
 */
export function shellFacts(answer: HookAnswer, file: string, stderr: string): ShellFacts {
  const missing = answer.list("missing") ?? [];
  const word = (field: string) => answer.text(field)?.trim() ?? "";
  const name = word("name");
  const minVersion = answer.text("min_version") === null ? null : word("min_version");
  const problems = [
    ...missing.map((hook) => `${hook} is missing`),
    ...(missing.length > 0 && stderr.trim() !== "" ? [`bash says: ${stderr.trim()}`] : []),
    ...(missing.length > 0
      ? []
      : [
          ...(isDriverName(name)
            ? []
            : [`driver_name must print a short lower-case name, not ${JSON.stringify(name)}`]),
          ...(word("display_name") === "" ? ["driver_display_name prints nothing"] : []),
          ...(word("cli_binary") === "" ? ["driver_cli_binary prints nothing"] : []),
          ...(minVersion === null || VERSION.test(minVersion)
            ? []
            : [`driver_min_version must print a version as in 1.2.3, not ${JSON.stringify(minVersion)}`]),
        ]),
  ];
  if (problems.length > 0) {
    throw new RalphError("config", `${file} is not a driver:${problems.map((one) => `\n  - ${one}`).join("")}`, {
      hint: `The page docs/write-a-driver.md lists the hooks. Look again with: ralph drivers show ${typedWord(file)}`,
    });
  }
  const filter = word("stream_filter");
  return {
    name,
    displayName: word("display_name"),
    cliBinary: word("cli_binary"),
    validTools: (answer.list("valid_tools") ?? []).filter((tool) => tool !== ""),
    toolAllowlist: answer.flag("tool_allowlist") ?? false,
    sessions: answer.flag("sessions") ?? true,
    liveOutput: answer.flag("live_output") ?? true,
    streamFilter: filter === "" || filter === "empty" ? null : filter,
    minVersion,
    hooks: new Set(answer.all("has").flat()),
  };
}
