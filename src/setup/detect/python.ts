import { filesMatching, firstOf, type ProjectFiles } from "./files.ts";
import { installOf, ownScript } from "./python-install.ts";
import { pythonTest } from "./python-test.ts";
import { type Commands, commandWord, type Stack } from "./stack.ts";
import { hasTable, type TomlTable, tomlKeys, tomlName, tomlTables } from "./toml.ts";

const MARKERS = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"] as const;

/** Detects a Python project by any of its usual files. */
export function detectPython(files: ProjectFiles): Stack | null {
  const marker = firstOf(files, MARKERS);
  if (marker === null) return null;
  const tables = tomlTables(files.read("pyproject.toml") ?? "");
  const stated = [...MARKERS, ...filesMatching(files, "", /requirements[\w.-]*\.txt$/)]
    .map((path) => files.read(path) ?? "")
    .join("\n");
  const manager = managerOf(files, tables);
  const name = packageName(files, tables);
  return {
    language: "python",
    marker,
    name,
    manager,
    commands: commandsOf(files, { manager, stated, name, tables }),
  };
}

/** `project.name`, even if it is misplaced before the first table. */
function packageName(files: ProjectFiles, tables: readonly TomlTable[]): string | null {
  const inToml = ["project", "tool.poetry", ""].map((table) => tomlName(tables, table));
  const inSetup = [
    /^\s*name\s*=\s*([\w.-]+)\s*$/m.exec(files.read("setup.cfg") ?? "")?.[1],
    /\bname\s*=\s*["']([^"'\n]+)["']/.exec(files.read("setup.py") ?? "")?.[1],
  ];
  return [...inToml, ...inSetup].find((name) => name !== null && name !== undefined && name !== "") ?? null;
}

function managerOf(files: ProjectFiles, tables: readonly TomlTable[]): string {
  if (files.exists("uv.lock") || hasTable(tables, "tool.uv")) return "uv";
  if (files.exists("poetry.lock") || hasTable(tables, "tool.poetry")) return "poetry";
  if (files.exists("pdm.lock") || hasTable(tables, "tool.pdm")) return "pdm";
  if (hasTable(tables, "tool.pixi")) return "pixi";
  if (hasTable(tables, "tool.hatch.envs")) return "hatch";
  return files.exists("Pipfile") ? "pipenv" : "pip";
}

type Facts = {
  manager: string;
  stated: string;
  name: string | null;
  tables: readonly TomlTable[];
};

function commandsOf(files: ProjectFiles, { manager, stated, name, tables }: Facts): Commands {
  const prefix = manager === "pip" ? "" : `${manager} run `;
  const uses = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "i").test(stated);
  const django = uses("django") && files.exists("manage.py");
  const script = scriptOf(tables, name);
  const module = commandWord(name?.replaceAll("-", "_") ?? null);
  const own = ownScript(manager, tables, ["start", "serve", "dev"]);
  return {
    install: installOf(files, manager, tables),
    build: null,
    test: pythonTest(files, { manager, stated, tables, django }),
    run:
      own ??
      (django
        ? `${prefix}python manage.py runserver`
        : script !== null
          ? `${prefix}${script}`
          : uses("flask") && firstOf(files, ["app.py", "wsgi.py"]) !== null
            ? `${prefix}flask run`
            : module !== null && hasMain(files, module)
              ? `${prefix}python -m ${module}`
              : files.exists("main.py")
                ? `${prefix}python main.py`
                : null),
    lint: ownScript(manager, tables, ["lint"]) ?? (uses("ruff") ? `${prefix}ruff check` : null),
  };
}

/** The only program that the package installs, or the one named like the package. */
function scriptOf(tables: readonly TomlTable[], name: string | null): string | null {
  const scripts = ["project.scripts", "tool.poetry.scripts"].flatMap((table) => tomlKeys(tables, table));
  return commandWord(scripts.length === 1 ? (scripts[0] ?? null) : (scripts.find((script) => script === name) ?? null));
}

function hasMain(files: ProjectFiles, module: string): boolean {
  return firstOf(files, [`${module}/__main__.py`, `src/${module}/__main__.py`]) !== null;
}
