/** The same source in another folder gives the same bytes; `npm run build:all -- --verify` compares all platforms. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { compileCopy, copyOfSource } from "../support/builds.ts";

const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

test("two builds from two folders are the same program", async () => {
  const folders = [copyOfSource(), copyOfSource()];
  try {
    const [first = "", second = ""] = await Promise.all(folders.map((folder) => compileCopy(folder, "")));
    expect(digest(second)).toBe(digest(first));
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
});
