import { join } from "node:path";
import { sanitizeLine } from "../../setup/sanitize-text.ts";
import type { CommandContext } from "../context.ts";
import { recordInNewestRun } from "../reset.ts";
import { liveRun } from "../run/send-control.ts";

const TEXT_CHARS = 300;

/** Puts the open questions of an imported document into the project's inbox. */
export async function askQuestions(
  { env, log }: Pick<CommandContext, "env" | "log">,
  projectDir: string,
  questions: readonly string[],
): Promise<void> {
  if (questions.length === 0) return;
  if (liveRun(join(projectDir, ".ralph")) !== null) {
    log.warn("A run is live: the document's open questions are in its specs, and not in ralph inbox.");
    return;
  }
  await recordInNewestRun(
    { projectDir, env },
    async (run) => {
      for (const question of questions)
        run.append({
          type: "question_asked",
          kind: "import",
          task: null,
          text: sanitizeLine(question, TEXT_CHARS),
          parked: false,
        });
      if (run.state().finished === null) run.finish("import_complete", "The document was imported.");
    },
    { startedBy: "import" },
  );
}
