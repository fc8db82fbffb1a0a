import { type CompletionSignals, newestSignals } from "../decide/completion-signals.ts";
import type { State } from "../journal/state.ts";
import { isoText } from "../text/time-text.ts";
import { jsonFile } from "./file-json.ts";

/** `.exit_signals`: numbers of the iterations that count towards an end, at most five each. */
export function signalsFile(signals: CompletionSignals): string {
  return jsonFile(newestSignals(signals));
}

/**
 * `.response_analysis`: the newest answer's claims (interfaces.md, `ralph analyze`); no file before the first answer.
 * @param outputFile path of the agent's output, relative to the project
 */
export function analysisFile(state: State, outputFile: string | null): string | null {
  if (state.last === null) return null;
  return jsonFile({
    loop_number: state.last.number,
    timestamp: isoText(state.last.at),
    output_file: outputFile,
    output_format: state.settings.CLAUDE_OUTPUT_FORMAT === "text" ? "text" : "json",
    analysis: state.last.analysis,
  });
}
