import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTreeWriter } from "../../../src/effects/checkpoints/tree-writer.ts";
import { objectId } from "../../../src/effects/git/loose-objects.ts";
import { EMPTY_FOLDER, type FolderState, REGULAR } from "../../../src/effects/snapshot/folder-state.ts";
import { testFolder } from "../../folders.ts";

const project = testFolder("tree-writer");

test("what one tree had no room for gets into the next one, though nothing changed", () => {
  mkdirSync(join(project, "deep"));
  const content = objectId("blob", Buffer.from("a\n"), "sha1");
  const folder: FolderState = { ...EMPTY_FOLDER, files: new Map([["a.txt", { content, kind: REGULAR }]]) };
  const root: FolderState = { ...EMPTY_FOLDER, folders: new Map([["deep", folder]]) };
  const source = {
    ...{ project, nested: [], outer: { prefix: "", patterns: [], hidden: [], inside: [] }, converts: false },
    ...{ isIndexed: () => false, mayConvert: () => false, isPacked: () => false },
  };
  const written: string[] = [];
  const writer = createTreeWriter(({ id }) => written.push(id), "sha1");
  // Unreadable is the same to it as too much, and takes less time to make.
  expect(writer.write(root, [], source).leftOut).toEqual(["deep/a.txt"]);
  writeFileSync(join(project, "deep/a.txt"), "a\n");
  expect(written).not.toContain(content);
  expect(writer.write(root, [], source).leftOut).toEqual([]);
  expect(written).toContain(content);
});
