/** The folder that a sandboxed agent has in place of `.ralph`. */
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createWorkRoom } from "../../../src/effects/sandbox/work-room.ts";
import { testFolders } from "../../folders.ts";

const newFolder = testFolders("room");

function opened() {
  const top = newFolder();
  const [ralph, folder, keep] = ["ralph", "inside", "kept"].map((name) => join(top, name)) as [string, string, string];
  mkdirSync(ralph);
  const [plan, inside] = [join(ralph, "plan.md"), join(folder, "plan.md")];
  writeFileSync(plan, "- [ ] one\n");
  const room = createWorkRoom({ folder, files: [plan], outside: ralph, keep });
  room.open();
  /** As an editor or an agent's tool does. */
  const replace = (path: string, text: string) => {
    writeFileSync(`${path}.tmp`, text);
    renameSync(`${path}.tmp`, path);
  };
  return { top, ralph, room, plan, inside, keep, replace };
}

describe.skipIf(process.platform === "win32")("the room of a sandboxed agent", () => {
  test("shows outside at once what the agent writes into its plan", () => {
    const { room, plan, inside } = opened();
    writeFileSync(inside, "- [x] one\n");
    expect(readFileSync(plan, "utf8")).toBe("- [x] one\n");
    expect(room.shut()).toEqual([]);
  });

  test("brings out a plan that the agent has replaced, and takes further edits", () => {
    const { room, plan, inside, replace } = opened();
    replace(inside, "- [x] one\n");
    room.shut();
    expect(readFileSync(plan, "utf8")).toBe("- [x] one\n");
    room.open();
    replace(inside, "- [x] one\n- [x] two\n");
    room.shut();
    expect(readFileSync(plan, "utf8")).toBe("- [x] one\n- [x] two\n");
    room.open();
    expect(room.shut()).toEqual([]);
  });

  test("brings in a plan that the user has replaced", () => {
    const { room, plan, inside, replace } = opened();
    replace(plan, "- [ ] one\n- [ ] two\n");
    room.shut();
    expect(readFileSync(inside, "utf8")).toBe("- [ ] one\n- [ ] two\n");
  });

  test("keeps the user's edit where both have replaced it", () => {
    const { room, plan, inside, keep, replace } = opened();
    replace(plan, "of the user\n");
    replace(inside, "of the agent\n");
    room.shut();
    expect(readFileSync(plan, "utf8")).toBe("of the agent\n");
    expect(readdirSync(keep).map((name) => readFileSync(join(keep, name), "utf8"))).toEqual(["of the user\n"]);
  });

  test.each([
    ["follows no link", (at: string) => symlinkSync("../secret", at)],
    ["minds no folder", (at: string) => mkdirSync(join(at, "its", "own"), { recursive: true })],
  ])("%s that the agent puts in its place, and has a plan again at the next call", (_, put) => {
    const { top, room, plan, inside } = opened();
    writeFileSync(join(top, "secret"), "- [x] secret\n");
    rmSync(inside);
    put(inside);
    room.shut();
    expect(readFileSync(plan, "utf8")).toBe("- [ ] one\n");
    room.open();
    room.shut();
    expect(readFileSync(inside, "utf8")).toBe("- [ ] one\n");
    expect(readFileSync(join(top, "secret"), "utf8")).toBe("- [x] secret\n");
  });

  test("has an own file or folder for each of ralph's, wherever the agent laid a link for a mount to follow", () => {
    const { top, ralph, room, inside } = opened();
    mkdirSync(join(top, "theirs"));
    for (const name of ["later.json", "logs"]) symlinkSync(join(top, "theirs"), join(inside, "..", name));
    room.shut();
    writeFileSync(join(ralph, "later.json"), "{}\n");
    mkdirSync(join(ralph, "logs"));
    expect(room.open()).toEqual(expect.arrayContaining(["later.json", "logs"]));
    expect(lstatSync(join(inside, "..", "later.json")).isFile()).toBe(true);
    expect(lstatSync(join(inside, "..", "logs")).isDirectory()).toBe(true);
    room.shut();
    room.remove();
    expect(readdirSync(join(top, "theirs"))).toEqual([]);
    expect(existsSync(join(inside, ".."))).toBe(false);
  });

  test("has what the agent made in it again at the next call, tells it once, and keeps it when it is gone", () => {
    const { room, inside, keep } = opened();
    writeFileSync(join(inside, "..", "notes.md"), "a thought\n");
    expect(room.shut()).toEqual([expect.stringMatching(/^\.ralph\/notes\.md \(only its sandbox has it/)]);
    room.open();
    expect(readFileSync(join(inside, "..", "notes.md"), "utf8")).toBe("a thought\n");
    expect(room.shut()).toEqual([]);
    room.remove();
    expect(readdirSync(keep).map((name) => readFileSync(join(keep, name), "utf8"))).toEqual(["a thought\n"]);
    expect(existsSync(join(inside, ".."))).toBe(false);
  });
});
