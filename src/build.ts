import manifest from "../package.json" with { type: "json" };

/** Texts that the compiler puts in; a program run from its source has none of them. */
declare const RALPH_BUILD_TARGET: string | undefined;
declare const RALPH_BUILD_PUBLIC_KEY: string | undefined;

/** How this very program was built. */
export type Build = {
  version: string;
  /** Which of the release's programs it is, `linux-x64-musl`; null when it runs from source. */
  target: string | null;
  /** Ed25519 key that releases are signed with, 32 bytes in base64; null: updates can't be verified. */
  publicKey: string | null;
  /** Where its releases are, without a slash at the end; null for a project without a repository. */
  releases: string | null;
};

/** The facts that are fixed when ralph is built. */
export function build(): Build {
  return {
    version: manifest.version,
    target: typeof RALPH_BUILD_TARGET === "string" ? RALPH_BUILD_TARGET : null,
    publicKey:
      typeof RALPH_BUILD_PUBLIC_KEY === "string" && RALPH_BUILD_PUBLIC_KEY !== "" ? RALPH_BUILD_PUBLIC_KEY : null,
    releases: releasesOf(manifest),
  };
}

/** The newest release's files of a repository on GitHub (`repository` of package.json, in any of npm's forms). */
export function releasesOf(about: object): string | null {
  const { repository = "" } = about as { repository?: string | { url?: string } };
  const text = typeof repository === "string" ? repository : (repository.url ?? "");
  const found =
    /^(?:github:|(?:git\+)?(?:https|ssh):\/\/(?:git@)?github\.com\/|git@github\.com:)?([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(
      text,
    );
  return found === null ? null : `https://github.com/${found[1]}/${found[2]}/releases/latest/download`;
}
