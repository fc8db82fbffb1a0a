import { readFileSync } from "node:fs";
import { analyzeReport } from "../../src/core/answer/analyze-report.ts";
import { countSignals, noSignals } from "../../src/core/decide/completion-signals.ts";
import { readRecorded } from "../driver-host/recorded/read-recorded.ts";
import { judge } from "./cases.ts";

type Input = { name: string; text?: string; base64?: string; file?: string };
type Setup = { inputs: Input[]; allowed_tools?: string | null; driver?: string | null };

for (const group of ["analyzer", "status-block-shapes", "session-extraction"]) {
  judge<Setup>(group, (setup) => analyzed(group, setup), "deviations/analyzer.json");
}

function analyzed(group: string, { inputs, allowed_tools, driver }: Setup): unknown {
  const named = driver === undefined || driver === null ? {} : { driver };
  const files = inputs.map((input) => ({
    file: input.name,
    recorded: readRecorded(textOf(group, input), named),
  }));
  const allowedTools = (allowed_tools ?? "").split(",").filter((tool) => tool !== "");
  return analyzeReport(files, { allowedTools, signals: noSignals(), countSignals }).report;
}

function textOf(group: string, { text, base64, file }: Input): string {
  if (file !== undefined) return readFileSync(new URL(`data/${group}/${file}`, import.meta.url), "utf8");
  return base64 === undefined ? (text ?? "") : Buffer.from(base64, "base64").toString("utf8");
}
