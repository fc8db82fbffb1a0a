import type { Usage } from "../../driver.ts";
import { analyse } from "./analysis.ts";
import type { Analysis } from "./analysis-types.ts";
import type { CollectedOutput } from "./collected-output.ts";
import { explain } from "./explain-analysis.ts";

export type RecordedFormat = "text" | "json" | "json_array" | "jsonl";

/** The recorded output of one iteration, as its driver reads it. */
export type RecordedOutput = {
  /** Name of the driver; null if no driver prints such output. */
  driver: string | null;
  format: RecordedFormat;
  output: CollectedOutput;
  /** Whether its session can be one of the driver's CLI: the loop resumes no other. */
  isResumable: boolean;
  /** Events that the agent printed, and how many of them are unknown. */
  events: number;
  unknownEvents: number;
};

export type RecordedFile = { file: string; recorded: RecordedOutput };

/** The document of `ralph analyze --json` (interfaces.md); `S` is the type of the exit rules' counters. */
export type AnalyzeReport<S> = { iterations: AnalyzedIteration[]; signals: S };

export type AnalyzedIteration = {
  file: string;
  driver: string | null;
  format: RecordedFormat;
  analysis: Analysis;
  session_id: string | null;
  usage: Usage;
  events: number;
  unknown_events: number;
};

export type AnalyzeReportOptions<S> = {
  allowedTools: readonly string[];
  /** The counters before the first iteration, and their fold. */
  signals: S;
  countSignals: (signals: S, iteration: number, analysis: Analysis) => S;
  now?: number;
  zone?: string;
};

/** Analyses recorded outputs in order, each as one iteration, and carries state between them like a run. */
export function analyzeReport<S>(
  files: readonly RecordedFile[],
  options: AnalyzeReportOptions<S>,
): { report: AnalyzeReport<S>; lines: string[] } {
  const iterations: AnalyzedIteration[] = [];
  const lines: string[] = [];
  let previous: Analysis | null = null;
  let { signals } = options;
  for (const [index, { file, recorded }] of files.entries()) {
    const { output } = recorded;
    const analysis: Analysis = analyse(output, previous, { ...options, filesChanged: null });
    signals = options.countSignals(signals, index + 1, analysis);
    iterations.push(iterationOf(file, recorded, analysis));
    const sentences = [...explain(analysis, output), ...sessionSentences(recorded)];
    lines.push(heading(index + 1, file, recorded), ...sentences.map((sentence) => `  ${sentence}`));
    previous = analysis;
  }
  return { report: { iterations, signals }, lines };
}

function iterationOf(file: string, recorded: RecordedOutput, analysis: Analysis): AnalyzedIteration {
  const { driver, format, output, events, unknownEvents } = recorded;
  const { sessionId, usage } = output;
  return { file, driver, format, analysis, session_id: sessionId, usage, events, unknown_events: unknownEvents };
}

function sessionSentences({ driver, output: { sessionId }, isResumable }: RecordedOutput): string[] {
  if (sessionId === null) return [];
  const whose = `${driver ?? "this agent"} has no such ids, so a run would not resume it`;
  return [isResumable ? `Session: ${sessionId}.` : `Session: ${sessionId}; ${whose}.`];
}

function heading(number: number, file: string, { driver, format, events }: RecordedOutput): string {
  const shape = format === "text" ? "text" : `${format}, ${events} ${events === 1 ? "event" : "events"}`;
  return `${number}. ${file} (${driver ?? "no known agent"}, ${shape})`;
}
