/** The values that a release fills into an installer. */
export type Source = {
  /** Base address of the release's files; null if the user has to name it. */
  base: string | null;
  /** The key that signs SHA256SUMS. */
  publicPem: string | null;
};

/** An install script with its placeholders filled in. */
export function installer(script: string, { base, publicPem }: Source): string {
  return script.replace("@RALPH_BASE@", base ?? "").replace("@RALPH_PUBLIC_KEY@", publicPem?.trim() ?? "");
}
