import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { run } from "../run-program.ts";

/** A real agent CLI, driven by the tests in `tests/agents-e2e/<name>*.test.ts`. */
export type Agent = {
  /** Name of its driver. */
  name: string;
  package: string;
  version: string;
  command: string;
};

/** The agents that `npm run test:agents` installs. Versions are pinned: a new one is recorded and reviewed first. */
export const agents: readonly Agent[] = [
  { name: "claude-code", package: "@anthropic-ai/claude-code", version: "2.1.332", command: "claude" },
  { name: "codex", package: "@openai/codex", version: "0.171.0", command: "codex" },
  { name: "opencode", package: "opencode-ai", version: "1.18.33", command: "opencode" },
  { name: "copilot", package: "@github/copilot", version: "1.0.102", command: "copilot" },
];

export type InstallResult = { folder: string } | { reason: string };

/** Installs with npm, or with Bun on a machine without npm. Only the package's own install script may run. */
function installCommand(): readonly string[] {
  const npm = Bun.which("npm");
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  return npm === null ? [process.execPath, "install", "--no-save"] : [npm, "install", ...quiet];
}

function installedVersion(folder: string, name: string): string | null {
  const manifest = join(folder, "node_modules", name, "package.json");
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : null;
}

/**
 * Installs an agent into `.agents/<name>`, unless this version is already there.
 * @param home an empty folder, for the first start of the CLI
 * @returns the folder of its command, or why it cannot be used here
 */
export async function installAgent(agent: Agent, home: string): Promise<InstallResult> {
  const place = join(root, ".agents", agent.name);
  const folder = join(place, "node_modules", ".bin");
  if (installedVersion(place, agent.package) !== agent.version) {
    mkdirSync(place, { recursive: true });
    const manifest = {
      private: true,
      dependencies: { [agent.package]: agent.version },
      allowScripts: { [agent.package]: true },
      trustedDependencies: [agent.package],
    };
    writeFileSync(join(place, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    const { exitCode, output } = await run(installCommand(), { cwd: place });
    if (exitCode !== 0) return { reason: `the install ended with exit code ${exitCode}: ${lastLine(output)}` };
  }
  const program = Bun.which(agent.command, { PATH: folder });
  if (program === null) return { reason: `the package has no command ${agent.command}` };
  const env = { PATH: process.env.PATH ?? "", HOME: home, USERPROFILE: home };
  const { exitCode, output } = await run([program, "--version"], { env, timeoutMs: 60_000 });
  if (exitCode !== 0)
    return { reason: `${agent.command} --version ended with exit code ${exitCode}: ${lastLine(output)}` };
  return { folder };
}

const lastLine = (text: string) => text.trim().split("\n").at(-1) ?? "";
