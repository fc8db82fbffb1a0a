import type { SandboxNeeds } from "../../driver.ts";

/** What a sandboxed agent reaches: nothing, everything that ralph does, or hosts by name, `*.example.org` for those below. */
export type SandboxNetwork = "none" | "open" | readonly string[];

/** Registries of packages: work without them is rare. */
const REGISTRIES = [
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "pypi.org",
  "files.pythonhosted.org",
  "crates.io",
  "index.crates.io",
  "static.crates.io",
  "proxy.golang.org",
  "sum.golang.org",
  "rubygems.org",
  "repo.maven.apache.org",
  "plugins.gradle.org",
] as const;

/**
 * The network of a sandbox.
 * @param allowed SANDBOX_ALLOW_DOMAINS: `none` for no network, `*` for all of it, else more hosts
 * @param needs of each agent that the run may call
 */
export function sandboxNetwork(
  allowed: readonly string[],
  needs: readonly Pick<SandboxNeeds, "domains">[],
): SandboxNetwork {
  if (allowed.includes("none")) return "none";
  if (allowed.includes("*")) return "open";
  return [...new Set([...needs.flatMap(({ domains }) => domains), ...allowed, ...REGISTRIES])];
}

/** A host's name, or `*.` and one of at least two parts. */
const HOST = /^(?:localhost|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/** Entries of SANDBOX_ALLOW_DOMAINS that name no host. */
export function badDomains(allowed: readonly string[]): string[] {
  return allowed.filter((entry) => entry !== "none" && entry !== "*" && !HOST.test(entry));
}

/** The network in the header of a run: the agents' own hosts and the user's by name, the registries as one. */
export function networkText(network: SandboxNetwork): string {
  if (network === "none") return "no network";
  if (network === "open") return "all of the network";
  const named = network.filter((host) => !REGISTRIES.some((registry) => registry === host));
  return `network: ${[...named, "package registries"].join(", ")}`;
}
