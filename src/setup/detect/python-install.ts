import { filesMatching, type ProjectFiles } from "./files.ts";
import { commandWord } from "./stack.ts";
import { type TomlTable, tomlKeys, tomlList } from "./toml.ts";

/** The install command that a Python project's tests need. */
export function installOf(files: ProjectFiles, manager: string, tables: readonly TomlTable[]): string | null {
  if (manager === "hatch") return null;
  if (manager === "uv") return `uv sync${uvExtra(tables)}`;
  if (manager === "pipenv") return "pipenv install --dev";
  if (manager !== "pip") return `${manager} install`;
  const isPackage = files.exists("pyproject.toml") || files.exists("setup.py");
  const more = filesMatching(files, "", /^(?:requirements[-_.](?:dev|tests?)|(?:dev|tests?)-requirements)\.txt$/);
  const lists = [...(!isPackage && files.exists("requirements.txt") ? ["requirements.txt"] : []), ...more];
  const group = ["dev", "test", "tests"].find((one) => tomlKeys(tables, "dependency-groups").includes(one));
  const words = [
    ...(isPackage ? [`-e ${withExtra(tables)}`] : []),
    ...lists.map((path) => `-r ${path}`),
    ...(group === undefined ? [] : [`--group ${group}`]),
  ];
  return words.length === 0 ? null : `pip install ${words.join(" ")}`;
}

function withExtra(tables: readonly TomlTable[]): string {
  const extras = tomlKeys(tables, "project.optional-dependencies");
  const extra = ["dev", "test", "tests"].find((one) => extras.includes(one));
  return extra === undefined ? "." : `".[${extra}]"`;
}

/** The flag that makes uv install pytest: by default it installs the `dev` group, but no extra. */
export function uvExtra(tables: readonly TomlTable[]): string {
  const needs = (table: string, key: string) => tomlList(tables, table, key).some((one) => /^pytest/i.test(one));
  const nameIn = (table: string) => commandWord(tomlKeys(tables, table).find((key) => needs(table, key)) ?? null);
  const usual = ["dev", ...tomlList(tables, "tool.uv", "default-groups")];
  const isUsual = (group: string) =>
    usual.includes(group) || usual.some((one) => tomlList(tables, "dependency-groups", one).includes(group));
  if (needs("project", "dependencies") || needs("tool.uv", "dev-dependencies")) return "";
  const group = nameIn("dependency-groups");
  if (group !== null) return isUsual(group) ? "" : ` --group ${group}`;
  const extra = nameIn("project.optional-dependencies");
  return extra === null ? "" : ` --extra ${extra}`;
}

const SCRIPTS: Readonly<Record<string, string>> = {
  pdm: "tool.pdm.scripts",
  pixi: "tool.pixi.tasks",
  hatch: "tool.hatch.envs.default.scripts",
};

/** The command for the first of these scripts that the project defines for its manager. */
export function ownScript(manager: string, tables: readonly TomlTable[], names: readonly string[]): string | null {
  const own = tomlKeys(tables, SCRIPTS[manager] ?? "");
  const name = names.find((one) => own.includes(one));
  return name === undefined || SCRIPTS[manager] === undefined ? null : `${manager} run ${name}`;
}
