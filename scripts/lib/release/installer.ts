/** What an installer is told when its release is made. */
export type Source = {
  /** Address of the release's files; null: the user has to name it. */
  base: string | null;
  /** Key that SHA256SUMS is signed with. */
  publicPem: string | null;
};

/** An install script with its source in it, in place of the words that stand for it. */
export function installer(script: string, { base, publicPem }: Source): string {
  return script.replace("@RALPH_BASE@", base ?? "").replace("@RALPH_PUBLIC_KEY@", publicPem?.trim() ?? "");
}
