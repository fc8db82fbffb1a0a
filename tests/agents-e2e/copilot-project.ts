import { type ClaudeProject, claudeProject, type Environment } from "./claude-project.ts";

/** A Ralph project like Claude Code's, with Copilot as its agent. */
export type CopilotProject = ClaudeProject;

/**
 * @param scenario name of a file in one of the scenario folders
 * @param cache folder for the files that the CLI unpacks at its first start: shared, since that takes seconds
 */
export async function copilotProject(scenario: string, cache: string): Promise<CopilotProject> {
  const project = await claudeProject(scenario);
  const pointed = (env: Environment = {}) => ({ ...pointedAt(project.model.url, cache), ...env });
  return {
    ...project,
    start: (args, env) => project.start(args, pointed(env)),
    run: (args, env) => project.run(args, pointed(env)),
  };
}

/** Points Copilot at the mock model, and at nothing else. */
function pointedAt(url: string, cache: string): Record<string, string> {
  return {
    PLATFORM_DRIVER: "copilot",
    COPILOT_CACHE_HOME: cache,
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy-key",
    COPILOT_MODEL: "mock-model",
    COPILOT_OFFLINE: "true",
  };
}
