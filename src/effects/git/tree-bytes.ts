/** The bytes of a tree object, to and from its entries (gitformat-pack and git-mktree manuals). */
import process from "node:process";
import { decodeName, encodePath } from "./names.ts";

export type TreeEntry = {
  /** As `decodeName` gives it. */
  name: string;
  /** Octal, without leading zeros: `40000` for a folder. */
  mode: string;
  id: string;
};

export const FOLDER_MODE = "40000";

/** Whether git takes a name for an entry of a tree: on some systems others than `.git` lead there too (git-fsck, "hasDotgit"). */
export function isTreeName(name: string): boolean {
  const plain = name.replace(/\p{Cf}/gu, "").replace(/[. ]+$/, "");
  return plain !== "" && !/^(?:\.git|git~1)$/i.test(plain) && !name.includes("/");
}

/** Whether a path, with forward slashes, can be that of a file in a tree: one that others wrote may name anything. */
export function isTreePath(path: string): boolean {
  return path.split(process.platform === "win32" ? /[/\\:]/ : "/").every(isTreeName);
}

/** In git's order, where a folder sorts as if its name ended in a slash. */
export function formatTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = entries
    .map(({ name, mode, id }) => {
      const bytes = Buffer.from(encodePath(name));
      return { bytes, mode, id, key: mode === FOLDER_MODE ? Buffer.concat([bytes, Buffer.from("/")]) : bytes };
    })
    .sort((a, b) => a.key.compare(b.key));
  return Buffer.concat(
    sorted.flatMap(({ bytes, mode, id }) => [Buffer.from(`${mode} `), bytes, NUL, Buffer.from(id, "hex")]),
  );
}

const NUL = Buffer.from([0]);

/** @param width bytes of an id @throws Error for bytes that are no tree */
export function parseTree(body: Buffer, width: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(32, at);
    const end = body.indexOf(0, space);
    if (space < 0 || end < 0 || end + width >= body.length + 1) throw new Error("a damaged tree");
    const id = body.toString("hex", end + 1, end + 1 + width);
    entries.push({ mode: body.toString("latin1", at, space), name: decodeName(body, space + 1, end), id });
    at = end + 1 + width;
  }
  return entries;
}
