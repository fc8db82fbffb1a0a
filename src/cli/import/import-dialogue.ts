import { sha256Of } from "../../effects/files/sha256.ts";
import type { ImportDialogue } from "../../run/jobs/import-document.ts";
import { type AgentAnswer, parseAgentAnswer, tasksOfPlan } from "../../setup/import/agent-answer.ts";
import { importPrompt, repairPrompt } from "../../setup/import/agent-prompt.ts";
import type { SourceDocument } from "../../setup/import/formats/convert-document.ts";
import { mergePlan } from "../../setup/plan/merge.ts";

/**
 * The marker of the blocks in prompt and answer. A document can't hold its own hash, and the prompt removes the marker
 * from it regardless.
 */
export function importMarker({ name, text }: SourceDocument): string {
  return sha256Of(`${name}\n${text}`).slice(0, 12);
}

export type DialogueInput = {
  document: SourceDocument;
  /** The project's plan; null where there is none. */
  plan: string | null;
  /** What the files still lack: parts of the document, and files. */
  lacks(answer: AgentAnswer): { missing: string[]; lacks: string[] };
};

/** Asks for plan and specs, then once more for the parts of the document that no file holds. */
export function importDialogue({ document, plan, lacks }: DialogueInput): ImportDialogue<AgentAnswer> {
  const mark = importMarker(document);
  return {
    document: document.name,
    prompt: importPrompt({ document, plan, mark }),
    readAnswer: (text) => parseAgentAnswer(text, mark),
    findGaps(answer) {
      const gaps = lacks(answer);
      const missing = [...gaps.lacks, ...gaps.missing];
      return missing.length === 0 ? null : { missing, prompt: repairPrompt({ mark, ...gaps }) };
    },
    merge: mergeAnswers,
  };
}

function mergeAnswers(first: AgentAnswer, second: AgentAnswer): AgentAnswer {
  const files = new Map([...first.files, ...second.files]);
  const [plan, more] = [first.files.get("@fix_plan.md"), second.files.get("@fix_plan.md")];
  // A task named in both answers is added once.
  if (plan !== undefined && more !== undefined) files.set("@fix_plan.md", mergePlan(plan, tasksOfPlan(more)).text);
  const unfinished = [...first.unfinished, ...second.unfinished].filter((name) => !files.has(name));
  return { files, refused: [...first.refused, ...second.refused], unfinished: [...new Set(unfinished)] };
}
