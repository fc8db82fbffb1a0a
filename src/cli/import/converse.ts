import { finalText } from "../../core/answer/collected-output.ts";
import { limitFromError } from "../../core/answer/error-patterns.ts";
import { MINUTE_MS } from "../../core/durations.ts";
import { decoderKit } from "../../driver-host/decoder-kit.ts";
import { textDecoder } from "../../driver-host/text-decoder.ts";
import { type CallResult, callAgent } from "../../run/call-agent.ts";
import { composeReadOnly } from "../../run/compose-call.ts";
import type { LoopDeps } from "../../run/deps.ts";
import { type AgentAnswer, parseAgentAnswer, tasksOfPlan } from "../../setup/import/agent-answer.ts";
import { importPrompt, repairPrompt } from "../../setup/import/agent-prompt.ts";
import type { SourceDocument } from "../../setup/import/formats/convert-document.ts";
import { mergePlan } from "../../setup/plan/merge.ts";
import { sanitizeLine } from "../../setup/sanitize-text.ts";
import { duration } from "../../view/text/figures.ts";
import { sha256 } from "../setup/write-project.ts";

const MAX_SAID = 200;

/** What marks the blocks of prompt and answer: no document holds its own hash, and the prompt takes it out if one did. */
export function importMark({ name, text }: SourceDocument): string {
  return sha256(`${name}\n${text}`).slice(0, 12);
}

/** What is asked, and of which document. */
export type Question = {
  document: SourceDocument;
  plan: string | null;
  /** What the files still lack: names of the document, and files. */
  lacks(answer: AgentAnswer): { missing: string[]; lacks: string[] };
  /** What the agent said in a call, as its blocks came. */
  heard(call: number): string;
};

/** In the agent's own words. */
export type Failure = {
  code: string;
  message: string;
  /** ISO time at which its provider's limit ends, where that was the reason and it stated one. */
  resetsAt: string | null;
};

export type Conversation = {
  answer: AgentAnswer;
  sessionId: string | null;
  /** Why the agent's last call came to nothing; null if it answered. */
  failure: Failure | null;
  calls: number;
  /** The first line of its last answer. */
  said: string;
};

/** Asks for plan and specs, and once more for what is missing, in the same session where the agent has sessions. */
export async function converse(deps: LoopDeps, input: Question): Promise<Conversation> {
  const mark = importMark(input.document);
  const { name } = input.document;
  const first = await call(deps, { number: 1, name, missing: [] }, importPrompt({ ...input, mark }), null);
  const sessionId = first.output.sessionId;
  const answer = parseAgentAnswer(allText(first, input.heard(1)), mark);
  const said = firstWords(finalText(first.output));
  if (!first.ok) return { answer, sessionId, failure: failureOf(first, deps), calls: 1, said };
  const gaps = input.lacks(answer);
  const missing = [...gaps.lacks, ...gaps.missing];
  if (missing.length === 0 || deps.stop.kill.aborted) return { answer, sessionId, failure: null, calls: 1, said };

  const resumes = sessionId !== null && deps.driver.supportsSessions !== false;
  const repair = repairPrompt({ mark, ...gaps });
  const prompt = resumes ? repair : `${importPrompt({ ...input, mark })}\n${repair}`;
  const second = await call(deps, { number: 2, name, missing }, prompt, resumes ? sessionId : null);
  const more = parseAgentAnswer(allText(second, input.heard(2)), mark);
  return {
    answer: together(answer, more),
    sessionId: second.output.sessionId ?? sessionId,
    failure: second.ok ? null : failureOf(second, deps),
    calls: 2,
    said: firstWords(finalText(second.output)) || said,
  };
}

/** Like a review it is no part of the work: its call and usage count, its session and limit are nobody's. */
async function call(
  deps: LoopDeps,
  { number, name, missing }: { number: number; name: string; missing: string[] },
  prompt: string,
  resume: string | null,
): Promise<CallResult> {
  const { driver, binary, settings, recorder, workspace } = deps;
  const composed = composeReadOnly({
    driver,
    binary,
    settings,
    prompt,
    context: null,
    resume,
    newSessionId: deps.newSessionId(),
    cwd: deps.host.cwd,
    isGitRepository: workspace.isGitRepository,
  });
  recorder.append({ type: "import_started", call: number, document: name, missing });
  return callAgent(
    deps,
    { number: 0, call: number, purpose: number === 1 ? "import" : "repair", tree: null },
    composed,
    { kit: decoderKit, text: textDecoder },
  );
}

function allText({ output }: CallResult, heard: string): string {
  const last = finalText(output);
  return heard.includes(last) ? heard : `${heard}\n${last}`;
}

function together(first: AgentAnswer, second: AgentAnswer): AgentAnswer {
  const files = new Map([...first.files, ...second.files]);
  const [plan, more] = [first.files.get("@fix_plan.md"), second.files.get("@fix_plan.md")];
  // What is named again is no second task.
  if (plan !== undefined && more !== undefined) files.set("@fix_plan.md", mergePlan(plan, tasksOfPlan(more)).text);
  const unfinished = [...first.unfinished, ...second.unfinished].filter((name) => !files.has(name));
  return { files, refused: [...first.refused, ...second.refused], unfinished: [...new Set(unfinished)] };
}

/** The first line that says something. */
function firstWords(text: string): string {
  return sanitizeLine(text.split("\n").find((line) => /\p{L}/u.test(line)) ?? "", MAX_SAID);
}

/** The agent's own code and first line, without the full stop, since more is said after it. */
function failureOf({ error, outcome, output }: CallResult, { settings, clock, zone }: LoopDeps): Failure {
  const outcomes: Readonly<Record<string, string>> = {
    timed_out: `it was not done after ${duration(settings.CLAUDE_TIMEOUT_MINUTES * MINUTE_MS)}; --timeout gives it more`,
    idle: "it said nothing for too long",
    stopped: "it was stopped",
  };
  // Claude Code used to add a limit's reset as a bare number.
  const said = firstWords(error?.message ?? "").replace(/\|\d{9,}$/, "");
  const message = outcomes[outcome] ?? (said === "" ? outcome.replaceAll("_", " ") : said.replace(/[.\s]+$/, ""));
  const code = outcomes[outcome] === undefined ? (error?.class ?? outcome) : outcome;
  if (code !== "limit") return { code, message, resetsAt: null };
  const stated = output.limit ?? limitFromError(error?.message ?? "", clock.now(), zone);
  return { code, message, resetsAt: stated?.resets_at ?? null };
}
