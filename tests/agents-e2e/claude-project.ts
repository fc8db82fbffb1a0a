import { type AgentProject, agentProject, type Environment } from "./agent-project.ts";

export type { Environment };

/** A Ralph project whose agent is Claude Code. */
export type ClaudeProject = AgentProject;

/** The project's first commit holds a prompt, a plan with two open boxes and one source file. */
export const claudeProject = (scenario: string): Promise<ClaudeProject> => agentProject(scenario, pointedAt);

/** What points Claude Code at the mock model and keeps it at home. */
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

/** Limits of a plan are told only to those who are logged in with one. */
export const subscription: Environment = { ANTHROPIC_API_KEY: null, CLAUDE_CODE_OAUTH_TOKEN: "dummy-token" };
