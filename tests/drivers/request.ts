import type { CommandRequest } from "../../src/driver.ts";

/** The id for a new session. */
export const NEW_ID = "0f8e7d6c-1234-4abc-9def-001122334455";

/** A call with usual values, except for those of the test. The prompt looks like a flag. */
export function requestOf(about: Partial<CommandRequest> & Pick<CommandRequest, "binary">): CommandRequest {
  return {
    prompt: "--- front matter\nDo the next task.",
    context: null,
    resume: null,
    newSessionId: NEW_ID,
    format: "json",
    partial: false,
    model: null,
    effort: null,
    allowedTools: null,
    permissionMode: "bypassPermissions",
    readOnly: false,
    cwd: "/project",
    isGitRepository: true,
    ...about,
  };
}
