import { fileStamp } from "../text/time-text.ts";

/** The file for the agent's output of one call, below `.ralph` with forward slashes. */
export function outputPath(run: string, iteration: number, call: number): string {
  return `runs/${run}/${iteration}-${call}.out`;
}

/**
 * Its name in `.ralph/logs` (product.md "Logs"): Claude's is `claude_output_…`, which the originals' readers look for.
 * @param startedAt epoch ms
 * @param nth from 1; distinguishes two calls within a second
 * @param offset of local time then, in ms
 */
export function outputName(driver: string, startedAt: number, nth: number, offset?: number): string {
  const agent = driver === "claude-code" ? "claude" : driver.replace(/[^\w-]+/gu, "-") || "agent";
  return `${agent}_output_${fileStamp(startedAt, offset)}${nth === 1 ? "" : `_${nth}`}.log`;
}
