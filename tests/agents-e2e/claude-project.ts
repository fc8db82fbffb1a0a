import { type AgentProject, agentProject, type Environment } from "./agent-project.ts";

export type { Environment };

/** A Ralph project with Claude Code as its agent. */
export type ClaudeProject = AgentProject;

/** The project's first commit contains a prompt, a plan with two open boxes and one source file. */
export const claudeProject = (scenario: string): Promise<ClaudeProject> => agentProject(scenario, pointedAt);

/** Points Claude Code at the mock model, and at nothing else. */
function pointedAt(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "dummy-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    IS_SANDBOX: "1",
  };
}

/** Only a login with a plan is told that plan's limits. */
export const subscription: Environment = { ANTHROPIC_API_KEY: null, CLAUDE_CODE_OAUTH_TOKEN: "dummy-token" };
