/** Repositories inside the project of a test. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSandbox, type Sandbox } from "./git-sandbox.ts";

/** Makes a repository of a folder with these files, in a commit. @param path from the project */
export function repositoryIn(box: Sandbox, path: string, files: Readonly<Record<string, string>>): Sandbox {
  const inside = openSandbox(box.folder, box.path(path));
  mkdirSync(inside.project, { recursive: true });
  inside.git("init", "--quiet");
  inside.write(files);
  inside.commit();
  return inside;
}

/** Adds a repository as a submodule, as git does: its `.git` is a file. The project's commit has it. */
export function submoduleIn(box: Sandbox, path: string, files: Readonly<Record<string, string>>): Sandbox {
  const source = join(box.folder, `source of ${path.replaceAll("/", " ")}`);
  mkdirSync(source);
  repositoryIn(openSandbox(box.folder, source), "", files);
  box.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, path);
  box.commit();
  return openSandbox(box.folder, box.path(path));
}
