import type { Entry, ProjectFiles } from "../../src/setup/detect/files.ts";

/** A project in memory; a path that ends in `/` is an empty folder. */
export function fakeFiles(content: Readonly<Record<string, string>>): ProjectFiles {
  const paths = Object.keys(content);
  const isFolder = (path: string) => paths.some((one) => one.startsWith(`${path}/`));
  return {
    exists: (path) => Object.hasOwn(content, path) || isFolder(path),
    read: (path) => (path.endsWith("/") ? null : (content[path] ?? null)),
    list(folder) {
      const start = folder === "" ? "" : `${folder}/`;
      const below = paths
        .filter((path) => path.startsWith(start) && path !== start)
        .map((path) => path.slice(start.length));
      const entries = below.map((path): [string, Entry] => {
        const [name = "", ...rest] = path.split("/");
        return [name, { name, kind: rest.length > 0 ? "folder" : "file" }];
      });
      return [...new Map(entries).values()];
    },
  };
}
