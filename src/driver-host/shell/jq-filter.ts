import { definedOnly } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import type { Host } from "../../driver.ts";
import type { RunSync } from "../../effects/ports.ts";

const TIMEOUT_MS = 10_000;

/**
 * Runs a jq filter on lines of JSON and returns the joined text that it prints. An event that makes the filter fail adds no
 * text; the others do.
 * @param file of the driver that has the filter
 * @throws RalphError `environment` without jq, `config` if the filter does not compile
 */
export function jqFilter(filter: string, file: string, host: Host, run: RunSync): (lines: readonly string[]) => string {
  const jq = host.which("jq");
  if (jq === null) {
    throw new RalphError(
      "environment",
      `The driver ${file} filters its output with jq, and there is no jq on the PATH.`,
      { hint: "Install jq, or use another driver." },
    );
  }
  // The leading blank prevents jq from reading a filter that begins with a dash as an option.
  const evaluate = (input: string) =>
    run([jq, "-j", ` ${filter}`], { cwd: host.cwd, env: definedOnly(host.env), input, timeoutMs: TIMEOUT_MS });
  const { exitCode, stderr, failure } = evaluate("");
  if (exitCode !== 0) {
    throw new RalphError(
      "config",
      `The stream filter of the driver ${file} is refused by jq: ${failure ?? stderr.trim()}`,
      { hint: "driver_stream_filter must print one jq filter." },
    );
  }
  return (lines) => evaluate(`${lines.join("\n")}\n`).stdout;
}
