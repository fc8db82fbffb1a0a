import { RalphError } from "../../core/errors.ts";
import { isDriverName } from "../check-driver.ts";
import type { HookAnswer } from "./hook-answer.ts";

/** What a bash driver says of itself; absent hooks have the defaults of the contract. */
export type ShellFacts = {
  name: string;
  displayName: string;
  cliBinary: string;
  validTools: readonly string[];
  toolAllowlist: boolean;
  sessions: boolean;
  liveOutput: boolean;
  /** The jq filter; null where there is none, or one that shows nothing. */
  streamFilter: string | null;
  minVersion: string | null;
  hooks: ReadonlySet<string>;
};

const VERSION = /^\d+(?:\.\d+)*$/;

/**
 * Reads the answer of `describe`.
 * @param stderr what bash said, which explains why hooks are missing
 * @throws RalphError `config` with everything that is missing or wrong
 */
export function shellFacts(answer: HookAnswer, file: string, stderr: string): ShellFacts {
  const missing = answer.list("missing") ?? [];
  const word = (field: string) => answer.text(field)?.trim() ?? "";
  const name = word("name");
  const minVersion = answer.text("min_version") === null ? null : word("min_version");
  const complaints = [
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
  if (complaints.length > 0) {
    throw new RalphError("config", `${file} is no driver:${complaints.map((one) => `\n  - ${one}`).join("")}`, {
      hint: "docs/write-a-driver.md lists the hooks of a bash driver.",
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
