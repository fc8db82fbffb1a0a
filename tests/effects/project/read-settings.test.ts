import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSettingsFile } from "../../../src/effects/project/read-settings.ts";
import { testFolder } from "../../folders.ts";

const root = testFolder("settings");

/** A new project with these files; null is a folder. */
function project(files: Record<string, string | Uint8Array | null>): string {
  const dir = mkdtempSync(join(root, "p-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(dir, content === null ? path : join(path, "..")), { recursive: true });
    if (content !== null) writeFileSync(join(dir, path), content);
  }
  return dir;
}

test("the file in .ralph comes before the one at the root, and neither is required", () => {
  expect(readSettingsFile(project({ ".ralph/.ralphrc": "A=1", ".ralphrc": "A=2" }))).toEqual({
    path: ".ralph/.ralphrc",
    text: "A=1",
  });
  expect(readSettingsFile(project({ ".ralphrc": "A=2" }))).toEqual({ path: ".ralphrc", text: "A=2" });
  expect(readSettingsFile(project({ ".ralph": "a file" }))).toBeNull();
  expect(readSettingsFile(project({}))).toBeNull();
});

test.each([
  ["a folder", { ".ralph/.ralphrc": null }, ".ralph/.ralphrc is a folder, and ralph expects the settings file there."],
  ["UTF-16", { ".ralphrc": new Uint8Array([0xff, 0xfe, 0x41, 0]) }, ".ralphrc is not UTF-8 text."],
] as const)("%s in place of the settings file is a configuration error that names the path", (_, files, message) => {
  const dir = project(files);
  expect(() => readSettingsFile(dir)).toThrow(expect.objectContaining({ code: "config", exit: 2, message }));
});
