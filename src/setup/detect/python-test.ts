import { filesMatching, firstOf, type ProjectFiles } from "./files.ts";
import { ownScript, uvExtra } from "./python-install.ts";
import { type TomlTable, tomlList } from "./toml.ts";

type Facts = {
  manager: string;
  /** The text of all requirements files. */
  stated: string;
  tables: readonly TomlTable[];
  /** Whether Django's own program runs the tests. */
  django: boolean;
};

/**
 * The command for a Python project's tests; null if no file shows one, because a guess would pass or fail for no
 * reason.
 */
export function pythonTest(files: ProjectFiles, { manager, stated, tables, django }: Facts): string | null {
  const prefix = manager === "pip" ? "" : `${manager} run${manager === "uv" ? uvExtra(tables) : ""} `;
  const usesPytest =
    /pytest/.test(stated) || firstOf(files, ["pytest.ini", "conftest.py", "tests/conftest.py"]) !== null;
  const own = ownScript(manager, tables, ["test", "tests"]);
  if (own !== null) return own;
  if (manager === "hatch") return hatchTest(files, tables, usesPytest);
  if (usesPytest) return `${prefix}pytest`;
  if (django) return `${prefix}python manage.py test`;
  const isStated = (tool: string) => new RegExp(`(?<![\\w-])${tool}(?![\\w-])`).test(stated);
  if (/^\[testenv\]/m.test(files.read("tox.ini") ?? "")) return `${isStated("tox") ? prefix : ""}tox -e py`;
  const session = /^def (tests?)\(/m.exec(files.read("noxfile.py") ?? "")?.[1];
  if (session !== undefined) return `${isStated("nox") ? prefix : ""}nox -s ${session}`;
  const folder = ["tests", "test"].find((one) => usesUnittest(files, one));
  return folder === undefined ? null : `${prefix}python -m unittest discover -s ${folder}`;
}

/** `hatch test` brings its own pytest. */
function hatchTest(files: ProjectFiles, tables: readonly TomlTable[], usesPytest: boolean): string | null {
  const inEnvironment = ["dependencies", "extra-dependencies"].some((key) =>
    tomlList(tables, "tool.hatch.envs.default", key).some((one) => /^pytest/i.test(one)),
  );
  if (inEnvironment) return "hatch run pytest";
  return usesPytest || files.exists("tests") ? "hatch test" : null;
}

function usesUnittest(files: ProjectFiles, folder: string): boolean {
  return filesMatching(files, folder, /^test.*\.py$/).some((name) =>
    /unittest/.test(files.read(`${folder}/${name}`) ?? ""),
  );
}
