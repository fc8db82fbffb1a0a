import { RalphError } from "../../core/errors.ts";
import { dayAndTime } from "../../view/live/wait-line.ts";
import { failedAs } from "./agent-import.ts";
import type { AgentReply } from "./ask-agent.ts";
import { withoutStop } from "./import-report.ts";

/** An import that wrote nothing. */
export type Attempt = {
  reply: AgentReply;
  /** The command that repeats the import. */
  repeatCommand: string;
  /** The command that shows what the agent did; null if that went with the temporary folder. */
  logs: string | null;
};

/** The message of an import that ended after the agent had begun: what is kept, and how to repeat it. */
export function nothingImported({ reply, repeatCommand, logs }: Attempt): string {
  const lines = [
    reply.stopped === null ? "Nothing was written." : "The import was interrupted: nothing was written.",
    ...(logs === null ? [] : [`  What the agent did is kept: ${logs}`]),
    `  Again: ${repeatCommand}`,
    ...sessionLine(reply),
  ];
  return `${lines.join("\n")}\n`;
}

/** The error of an import whose last agent call failed. */
export function agentFailed(
  { reply, repeatCommand, logs }: Attempt,
  { code, message, resetsAt }: NonNullable<AgentReply["failure"]>,
): RalphError {
  const now = Date.now();
  const hints = [
    ...firstStep(code, reply.displayName),
    ...(resetsAt === null || Date.parse(resetsAt) <= now ? [] : [`The limit resets ${dayAndTime(resetsAt, now)}.`]),
    ...(logs === null ? [] : [`See what it did: ${logs}`]),
    code === "limit" ? `Again, once the limit is over: ${repeatCommand}` : `Again: ${repeatCommand}`,
    `Or by rules alone: ${repeatCommand} --no-agent`,
    ...sessionLine(reply).map((line) => line.trim()),
  ];
  const reason = failedAs(code);
  return new RalphError(
    reason === "internal_error" ? "internal" : reason,
    `The agent failed (${code}): ${withoutStop(message)}. Nothing was written.`,
    {
      hint: hints.join("\n  "),
    },
  );
}

/** What a person has to do before another attempt can succeed. */
function firstStep(code: string, agent: string): string[] {
  if (code === "auth") return [`Log in to ${agent} first.`];
  if (code === "billing") return [`Add credit to the account of ${agent} first.`];
  return code === "model" ? ["Choose another model first (CLAUDE_MODEL)."] : [];
}

function sessionLine({ sessionId, displayName }: AgentReply): string[] {
  return sessionId === null ? [] : [`  ${displayName}'s own session: ${sessionId}`];
}
