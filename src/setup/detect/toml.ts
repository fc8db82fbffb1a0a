/** A table of a TOML file: its name, and its lines. */
export type TomlTable = { name: string; lines: readonly string[] };

/**
 * The tables of a TOML file; the part before the first header is named "". Reads only what detection needs (strings on
 * one line, lists of strings) and skips over mistakes.
 */
export function tomlTables(text: string): TomlTable[] {
  const tables: { name: string; lines: string[] }[] = [{ name: "", lines: [] }];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const header = /^\s*\[{1,2}\s*([^[\]]+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1];
    if (header !== undefined && !/^["']/.test(header)) tables.push({ name: header.replace(/["'\s]/g, ""), lines: [] });
    else tables.at(-1)?.lines.push(line);
  }
  return tables;
}

/** The name that a table gives; null if there is none. */
export function tomlName(tables: readonly TomlTable[], table: string): string | null {
  for (const { lines } of tables.filter(({ name }) => name === table)) {
    for (const line of lines) {
      const match = /^\s*["']?name["']?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(line);
      if (match !== null) return match[1] ?? match[2] ?? null;
    }
  }
  return null;
}

export function hasTable(tables: readonly TomlTable[], table: string): boolean {
  return tables.some(({ name }) => name === table || name.startsWith(`${table}.`));
}

/** The keys of a table. */
export function tomlKeys(tables: readonly TomlTable[], table: string): string[] {
  return tables
    .filter(({ name }) => name === table)
    .flatMap(({ lines }) => lines.flatMap((line) => /^\s*["']?([\w.@/-]+)["']?\s*=/.exec(line)?.[1] ?? []));
}

/** All strings of a list, on one or several lines. */
export function tomlList(tables: readonly TomlTable[], table: string, key: string): string[] {
  const text = tables
    .filter(({ name }) => name === table)
    .map(({ lines }) => lines.join("\n"))
    .join("\n");
  const start = new RegExp(`^\\s*${key.replace(/[.-]/g, "\\$&")}\\s*=\\s*\\[`, "m").exec(text);
  if (start === null) return [];
  const body = text.slice(start.index + start[0].length);
  const items: string[] = [];
  for (const match of body.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(#[^\n]*)|(\])/g)) {
    if (match[4] !== undefined) break;
    if (match[3] === undefined) items.push(match[1] ?? match[2] ?? "");
  }
  return items;
}
