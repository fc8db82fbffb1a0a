import { describe, expect, test } from "bun:test";
import { detect } from "../../../src/setup/detect/findings.ts";
import { fakeFiles } from "../fake-files.ts";

const look = (files: Record<string, string>, remote: string | null = null) => detect(fakeFiles(files), remote);

type Told = { type?: string; name?: string | null; manager?: string | null } & Partial<
  Record<"install" | "build" | "test" | "run" | "lint", string | null>
>;

const json = JSON.stringify;

type Case = [what: string, files: Record<string, string>, told: Told];
const cases: Case[] = [
  ["an empty folder", {}, { type: "unknown", name: null, test: null }],
  [
    "npm with scripts",
    {
      "package.json": json({
        name: "x",
        scripts: { build: "tsc", test: "vitest run", start: "node .", lint: "eslint ." },
      }),
    },
    {
      type: "javascript",
      name: "x",
      manager: "npm",
      install: "npm install",
      build: "npm run build",
      test: "npm test",
      run: "npm start",
      lint: "npm run lint",
    },
  ],
  [
    "npm's placeholder is no test",
    { "package.json": json({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
    { test: null },
  ],
  ...['echo "no tests; yet" && exit 0', "echo none", "echo 'Error: later' && exit 1", "exit 0", "true", ":"].map(
    (test): Case => [
      `a script that tests nothing is no test: ${test}`,
      { "package.json": json({ scripts: { test } }) },
      { test: null },
    ],
  ),
  [
    "a test that says something first is one",
    { "package.json": json({ scripts: { test: 'echo "testing" && node --test' } }) },
    { test: "npm test" },
  ],
  ...[
    "vitest watch",
    "vitest dev",
    "vitest --ui",
    "cypress open",
    "nodemon --exec mocha",
    "playwright test --ui",
    "mocha -w",
    "ava -w --verbose",
    "tsx watch --test",
    "npm run test:watch",
  ].map(
    (test): Case => [
      `a test that never ends is no gate: ${test}`,
      { "package.json": json({ scripts: { test } }) },
      { test: null },
    ],
  ),
  [
    "workers of jest are no watching",
    { "package.json": json({ scripts: { test: "jest -w 2" } }) },
    { test: "npm test" },
  ],
  ...["craco test", "react-app-rewired test"].map(
    (test): Case => [
      `a test that watches as react-scripts does ends: ${test}`,
      { "package.json": json({ scripts: { test } }) },
      { test: "npm test -- --watchAll=false" },
    ],
  ),
  [
    "a karma that waits for changes ends",
    { "package.json": json({ scripts: { test: "karma start" } }) },
    { test: "npm test -- --single-run" },
  ],
  [
    "a task of Deno that never ends is no gate",
    { "deno.json": json({ tasks: { test: "deno test --watch" } }), "x_test.ts": "" },
    { test: "deno test" },
  ],
  [
    "a task of Deno with a description",
    { "deno.json": json({ tasks: { test: { description: "all", command: "deno test -A" } } }) },
    { test: "deno task test" },
  ],
  [
    "a test that watches is no gate",
    { "package.json": json({ scripts: { test: "jest --watchAll", "test:ci": "jest" } }) },
    { test: "npm run test:ci" },
  ],
  ["scripts that are not there are not named", { "package.json": "{}" }, { build: null, test: null, run: null }],
  [
    "a broken package.json is still JavaScript",
    { "package.json": "{bad" },
    { type: "javascript", name: null, test: null },
  ],
  [
    "a script of a wrong type is none",
    { "package.json": json({ scripts: { test: 5 }, name: {} }) },
    { test: null, name: null },
  ],
  [
    "pnpm wins over yarn",
    { "package.json": json({ scripts: { build: "x" } }), "yarn.lock": "", "pnpm-lock.yaml": "" },
    { manager: "pnpm", build: "pnpm run build" },
  ],
  [
    "the stated manager wins over lock files",
    { "package.json": json({ packageManager: "yarn@4.1.0", scripts: { test: "x" } }), "package-lock.json": "" },
    { manager: "yarn", test: "yarn test" },
  ],
  [
    "bun runs the script, not its own runner",
    { "package.json": json({ scripts: { test: "x" } }), "bun.lock": "" },
    { test: "bun run test" },
  ],
  [
    "TypeScript by its package",
    { "package.json": json({ devDependencies: { typescript: "5" } }) },
    { type: "typescript" },
  ],
  ["TypeScript by tsconfig.json", { "package.json": "{}", "tsconfig.json": "{}" }, { type: "typescript" }],
  [
    "Deno",
    { "deno.json": json({ name: "@a/b", tasks: { dev: "deno run x.ts" } }), "x_test.ts": "" },
    { type: "typescript", manager: "deno", test: "deno test", run: "deno task dev" },
  ],
  [
    "pyproject with uv and pytest",
    {
      "pyproject.toml":
        '[project]\nname = "p-q"\ndependencies = ["fastapi>=1"]\n[dependency-groups]\ndev = ["pytest"]\n',
      "uv.lock": "",
      "src/p_q/__main__.py": "",
    },
    {
      type: "python",
      name: "p-q",
      manager: "uv",
      install: "uv sync",
      test: "uv run pytest",
      run: "uv run python -m p_q",
    },
  ],
  ["a TOML name in single quotes", { "pyproject.toml": "name = 'p'\n" }, { name: "p" }],
  [
    "poetry's own name",
    { "pyproject.toml": '[tool.poetry]\nname = "q"\n' },
    { name: "q", manager: "poetry", install: "poetry install" },
  ],
  [
    "Django's own tests",
    { "requirements.txt": "Django==5\n", "manage.py": "" },
    { test: "python manage.py test", run: "python manage.py runserver" },
  ],
  [
    "unittest where nobody names pytest",
    { "setup.py": "setup(name='z')", "tests/test_a.py": "import unittest\n" },
    { name: "z", test: "python -m unittest discover -s tests" },
  ],
  ["no test command without any test", { "setup.py": "" }, { type: "python", test: null }],
  [
    "a hostile module name is in no command",
    { "pyproject.toml": '[project]\nname = "x; rm -rf ~"\n', "x; rm -rf ~/__main__.py": "" },
    { run: null },
  ],
  [
    "Rust",
    { "Cargo.toml": '[package]\nname = "crab"\n[dependencies]\naxum = "0.8"\n', "src/main.rs": "" },
    { type: "rust", name: "crab", build: "cargo build", test: "cargo test", run: "cargo run" },
  ],
  [
    "a Rust workspace",
    { "Cargo.toml": '[workspace]\nmembers = ["a"]\n' },
    { type: "rust", name: null, test: "cargo test --workspace", run: null },
  ],
  [
    "Go",
    { "go.mod": "module example.com/x/y/v2\n\ngo 1.24\n", "main.go": "" },
    { type: "go", name: "y", test: "go test ./...", run: "go run ." },
  ],
  ["Go with one program", { "go.mod": "module y\n", "cmd/serve/main.go": "" }, { run: "go run ./cmd/serve" }],
  ["a hostile program name is in no command", { "go.mod": "module y\n", "cmd/a;reboot/main.go": "" }, { run: null }],
  [
    "Maven with a wrapper",
    {
      "pom.xml":
        "<project><parent><artifactId>spring-boot-starter-parent</artifactId></parent><artifactId>shop</artifactId></project>",
      mvnw: "",
    },
    { type: "java", name: "shop", test: "./mvnw -B test", run: "./mvnw spring-boot:run" },
  ],
  [
    "Gradle in Kotlin",
    {
      "build.gradle.kts": 'plugins { kotlin("jvm"); id("application") }',
      "settings.gradle.kts": 'rootProject.name = "kk"',
    },
    { type: "kotlin", name: "kk", test: "gradle test", run: "gradle run" },
  ],
  [
    ".NET",
    {
      "App.sln": "",
      "src/App/App.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"/>',
      "tests/App.Tests/App.Tests.csproj": '<PackageReference Include="xunit"/>',
    },
    {
      type: "csharp",
      name: "App",
      test: "dotnet test",
      run: "dotnet run --project src/App",
    },
  ],
  [
    "a hostile folder of a program is in no command",
    { "App.sln": "", "src/a;reboot/a.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"/>' },
    { build: "dotnet build", run: null },
  ],
  ["F#", { "x.fsproj": "<OutputType>Exe</OutputType>" }, { type: "fsharp", test: null, run: "dotnet run" }],
  [
    "Rails with RSpec",
    { Gemfile: 'gem "rails"\ngem "rspec-rails"\n', "bin/rails": "" },
    { type: "ruby", test: "bundle exec rspec", run: "bin/rails server" },
  ],
  [
    "Laravel",
    { "composer.json": json({ name: "a/b", require: { "laravel/framework": "12" } }), artisan: "" },
    { type: "php", name: "a/b", test: "php artisan test" },
  ],
  [
    "PHPUnit",
    { "composer.json": json({ "require-dev": { "phpunit/phpunit": "11" } }) },
    { test: "vendor/bin/phpunit" },
  ],
  [
    "Phoenix",
    { "mix.exs": 'app: :shop,\n{:phoenix, "~> 1.8"}' },
    { type: "elixir", name: "shop", test: "mix test", run: "mix phx.server" },
  ],
  [
    "a Makefile alone",
    { Makefile: "all: build\nbuild: x.o\n\tcc\ntest: build\n\t./t\nCFLAGS := -O2\n", "a.c": "", "b.c": "" },
    { type: "c", build: "make build", test: "make test" },
  ],
  ["a variable is no target", { Makefile: "test := x\nlint ::= y\n" }, { test: null, lint: null }],
  [
    "a justfile",
    { justfile: "set shell := ['sh']\ntest *args:\n  x\n@dev:\n  y\n" },
    { test: "just test", run: "just dev" },
  ],
  [
    "mise in both spellings",
    { "mise.toml": '[tasks]\nbuild = "x"\n[tasks.test]\nrun = "y"\n' },
    { build: "mise run build", test: "mise run test" },
  ],
  [
    "only the tasks of a Taskfile, however deep",
    {
      "Taskfile.yml":
        "version: '3'\n\nvars:\n  test: 1\n\ntasks:\n    # all\n    build:\n        cmds:\n            - x\n\n    lint: [y]\nenv:\n  run: 1\n",
    },
    { build: "task build", lint: "task lint", test: null, run: null },
  ],
  [
    "a Taskfile under another of its names",
    { "Taskfile.dist.yaml": "tasks:\n  'test':\n    - x\n" },
    { test: "task test" },
  ],
  ["a Taskfile", { "Taskfile.yml": "version: '3'\ntasks:\n  test:\n    cmds: []\n" }, { test: "task test" }],
  [
    "what the people of a project wrote comes before what is usual for its language",
    { "Cargo.toml": "[package]\n", Makefile: "test:\n\nrun:\n" },
    { build: "cargo build", test: "make test", run: "make run" },
  ],
  [
    "scripts come before a Makefile, which fills the gaps",
    { "package.json": json({ scripts: { test: "jest" } }), Makefile: "test:\n\nlint:\n" },
    { test: "npm test", lint: "make lint" },
  ],
  [
    "make install is for the system, and GNU's tests are called check",
    { Makefile: ".PHONY: all check\nall: a\ncheck:\n\ninstall:\n", "a.c": "" },
    { type: "c", install: null, build: "make all", test: "make check", lint: null },
  ],
  [
    "a recipe that needs an argument is none to call",
    { justfile: "alias t := test\nbuild target='a b':\n  x\ntest *names:\n  x\nlint file:\n  x\n" },
    { build: "just build", test: "just test", lint: null },
  ],
  [
    "tasks in a deno.jsonc with comments",
    { "deno.jsonc": '{\n  // "x": 1\n  "tasks": { "test": "deno test -A", /* y */ "dev": "http://a//b", },\n}\n' },
    { test: "deno task test", run: "deno task dev" },
  ],
  [
    "a test that waits for changes is told to end",
    { "package.json": json({ scripts: { test: "react-scripts test" } }) },
    { test: "npm test -- --watchAll=false" },
  ],
  [
    "Angular's as well, with the manager's own way to hand on a flag",
    { "package.json": json({ scripts: { test: "ng test" } }), "pnpm-lock.yaml": "" },
    { test: "pnpm test --watch=false" },
  ],
  [
    "a test program that no script calls",
    { "package.json": json({ devDependencies: { vitest: "3" } }), "pnpm-lock.yaml": "" },
    { test: "pnpm exec vitest run" },
  ],
  [
    "tests of Bun's own runner",
    { "package.json": "{}", "bun.lock": "", "src/a.test.ts": "" },
    { type: "typescript", test: "bun test" },
  ],
  [
    "a test command of the second language, where the first has none",
    { "package.json": "{}", "a.js": "", "b.js": "", "Cargo.toml": "[package]\n" },
    { type: "javascript", test: "cargo test" },
  ],
  [
    "TypeScript without a word of it in the root of a monorepo",
    { "package.json": json({ workspaces: ["packages/*"] }), "packages/a/src/a.ts": "" },
    { type: "typescript" },
  ],
  [
    "scripts that only the packages of a workspace have",
    {
      "package.json": json({ workspaces: ["packages/*", "!packages/old", "../x"] }),
      "packages/a/package.json": json({ scripts: { test: "node --test" } }),
    },
    { build: null, test: "npm run test --workspaces --if-present" },
  ],
  [
    "not where one of them has npm's placeholder",
    {
      "package.json": json({ workspaces: ["a", "b"] }),
      "a/package.json": json({ scripts: { test: "node --test" } }),
      "b/package.json": json({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
    },
    { test: null },
  ],
  [
    "the same with pnpm",
    {
      "package.json": "{}",
      "pnpm-lock.yaml": "",
      "pnpm-workspace.yaml": "packages:\n  - apps/web\n",
      "apps/web/package.json": json({ scripts: { build: "vite build" } }),
    },
    { build: "pnpm -r run build", test: null },
  ],
  [
    "Kotlin in a module, and what the module is",
    {
      "settings.gradle.kts": 'include(":app")\n',
      "build.gradle.kts": "",
      "app/build.gradle.kts": 'plugins { id("com.android.application") }',
      "app/src/A.kt": "",
      gradlew: "",
    },
    { type: "kotlin", test: "./gradlew test" },
  ],
  [
    "Java whose build is written in Kotlin",
    { "build.gradle.kts": "plugins { java }", "settings.gradle.kts": "", "src/main/java/A.java": "" },
    { type: "java" },
  ],
  [
    "a program of a Python package",
    { "pyproject.toml": '[project]\nname = "a-b"\n[project.scripts]\nab = "a:b"\n', "uv.lock": "" },
    { run: "uv run ab" },
  ],
  [
    "extras and lists of a Python project that tests need",
    { "pyproject.toml": '[project]\nname = "a"\n[project.optional-dependencies]\ndev = ["pytest"]\n' },
    { install: 'pip install -e ".[dev]"', test: "pytest" },
  ],
  [
    "an umbrella of Phoenix",
    { "mix.exs": "apps_path:", "apps/web/mix.exs": '{:phoenix, "~> 1.7"}', ".formatter.exs": "" },
    { type: "elixir", run: "mix phx.server", lint: "mix format --check-formatted" },
  ],
  [
    "a Swift package",
    {
      "Package.swift":
        'let p = Package(\n  name: "Tool", targets: [.executableTarget(name: "T"), .testTarget(name: "U")])',
    },
    { type: "swift", name: "Tool", build: "swift build", test: "swift test", run: "swift run" },
  ],
  [
    "Flutter",
    {
      "pubspec.yaml":
        "name: app\ndependencies:\n  flutter:\n    sdk: flutter\ndev_dependencies:\n  flutter_test:\n    sdk: flutter\n",
    },
    { type: "dart", name: "app", test: "flutter test", lint: "flutter analyze" },
  ],
  [
    "Zig, with the steps that its build has",
    { "build.zig": 'b.step("run", "");', "build.zig.zon": ".{ .name = .tool }" },
    { type: "zig", name: "tool", build: "zig build", test: null, run: "zig build run" },
  ],
  [
    "C++ with CMake",
    { "CMakeLists.txt": "project(engine LANGUAGES CXX)\nenable_testing()\n", "a.cpp": "" },
    {
      type: "cpp",
      name: "engine",
      build: "cmake -S . -B build && cmake --build build",
      test: "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    },
  ],
  ["C with CMake", { "CMakeLists.txt": "project(x)", "a.c": "", "a.h": "" }, { type: "c", test: null }],
  [
    "C++ with more headers than sources",
    { "CMakeLists.txt": "project(x)", "a.cpp": "", "a.h": "", "b.h": "" },
    { type: "cpp" },
  ],
  [
    "Meson",
    { "meson.build": "project('x', 'c')\ntest('a', exe)", "a.c": "" },
    { type: "c", name: "x", manager: "meson" },
  ],
  [
    "Haskell with cabal",
    { "hs.cabal": "", "app/Main.hs": "" },
    { type: "haskell", name: "hs", test: "cabal test all" },
  ],
  ["Scala", { "build.sbt": 'name := "s"' }, { type: "scala", name: "s", test: "sbt test" }],
  [
    "of several languages the runner comes first",
    { "Cargo.toml": "[package]\n", "package.json": "{}", justfile: "test:\n" },
    { test: "just test" },
  ],
  [
    "a Go workspace without a module of its own names its modules",
    { "go.work": "go 1.24\nuse (\n\t./api\n\t./libs/x // shared\n)\n", "api/go.mod": "module a/api\n" },
    {
      build: "go build ./api/... ./libs/x/...",
      test: "go test ./api/... ./libs/x/...",
      lint: "go vet ./api/... ./libs/x/...",
    },
  ],
  [
    "a hostile module of a Go workspace is in no command",
    { "go.work": "use ./a\nuse ./b;reboot\n", "a/go.mod": "module a\n" },
    { test: "go test ./a/..." },
  ],
  [
    "the parent of several Maven modules runs nothing by itself",
    { "pom.xml": "<artifactId>p</artifactId><modules><module>web</module></modules>spring-boot-starter-parent" },
    { test: "mvn -B test", run: null },
  ],
  [
    ".NET tests that only the solution names",
    {
      "App.sln":
        'Project("{1}") = "T", "test\\unit\\T\\T.csproj", "{2}"\nProject("{1}") = "A", "apps\\A\\A.csproj", "{3}"\n',
      "test/unit/T/T.csproj": '<PackageReference Include="xunit"/>',
      "apps/A/A.csproj": "<OutputType>Exe</OutputType>",
    },
    { test: "dotnet test", run: "dotnet run --project apps/A" },
  ],
  [
    ".NET without a solution, with its tests beside it",
    {
      "App.csproj": "<OutputType>Exe</OutputType>",
      "tests/App.Tests/App.Tests.csproj": '<PackageReference Include="xunit"/>',
    },
    { build: "dotnet build", test: "dotnet test tests/App.Tests", run: "dotnet run" },
  ],
  [
    "scripts of PDM",
    { "pyproject.toml": '[tool.pdm.scripts]\ntest = "pytest -q"\nstart = {call = "a:b"}\n', "tests/test_a.py": "" },
    { test: "pdm run test", run: "pdm run start" },
  ],
  [
    "scripts of Hatch's default environment",
    { "pyproject.toml": '[tool.hatch.envs.default.scripts]\ntest = "pytest {args:tests}"\n', "tests/test_a.py": "" },
    { test: "hatch run test" },
  ],
  [
    "Hatch's own test environment",
    { "pyproject.toml": "[tool.hatch.envs.types]\nextra-dependencies = []\n", "tests/test_a.py": "" },
    { test: "hatch test" },
  ],
  [
    "pytest in an environment of Hatch",
    { "pyproject.toml": '[tool.hatch.envs.default]\ndependencies = ["pytest"]\n', "tests/test_a.py": "" },
    { test: "hatch run pytest" },
  ],
  [
    "tests of pytest that only tox knows",
    {
      "setup.py": "",
      "tox.ini": "[testenv]\ndeps = pytest\ncommands = pytest\n",
      "tests/test_a.py": "def test_a(): pass\n",
    },
    { test: "tox -e py" },
  ],
  [
    "tests that only Nox knows",
    { "pyproject.toml": "[project]\n", "noxfile.py": "@nox.session\ndef tests(session):\n", "tests/test_a.py": "" },
    { test: "nox -s tests" },
  ],
  [
    "tests that nothing says how to run are asked for",
    { "pyproject.toml": "[project]\n", "tests/test_a.py": "def test_a(): pass\n" },
    { test: null },
  ],
  [
    "an extra that uv does not install by itself",
    {
      "pyproject.toml": '[project]\nname = "a"\n[project.optional-dependencies]\ndev = ["pytest>=8"]\n',
      "uv.lock": "",
    },
    { install: "uv sync --extra dev", test: "uv run --extra dev pytest" },
  ],
  [
    "a group that uv does not install by itself",
    { "pyproject.toml": '[dependency-groups]\ntest = [\n  "pytest>=8",\n]\n', "uv.lock": "" },
    { install: "uv sync --group test", test: "uv run --group test pytest" },
  ],
  [
    "what pipenv installs for tests",
    { Pipfile: '[dev-packages]\npytest = "*"\n' },
    { install: "pipenv install --dev", test: "pipenv run pytest" },
  ],
  [
    "lists and groups that a Python package's tests need",
    { "setup.py": "", "requirements-test.txt": "pytest\n" },
    { install: "pip install -e . -r requirements-test.txt", test: "pytest" },
  ],
  [
    "a dependency group with pip",
    { "pyproject.toml": '[project]\nname = "a"\n[dependency-groups]\ndev = ["pytest"]\n' },
    { install: "pip install -e . --group dev", test: "pytest" },
  ],
  [
    "Symfony's bridge to PHPUnit",
    {
      "composer.json": json({ "require-dev": { "symfony/phpunit-bridge": "7" } }),
      "bin/phpunit": "",
      "phpunit.xml.dist": "",
    },
    { test: "php bin/phpunit" },
  ],
  [
    "the name of a skeleton is nobody's",
    { "composer.json": json({ name: "laravel/laravel" }), artisan: "" },
    { name: null },
  ],
  [
    "the second language's name is not the project's",
    { Gemfile: 'gem "rails"', "a.rb": "", "package.json": json({ name: "app" }) },
    { type: "ruby", name: null },
  ],
  [
    "rules of a Makefile for several targets",
    { Makefile: "build test: deps\n\tcc\nout/%.o: %.c\n\tcc\nX ?= a:b\n", "a.c": "" },
    { build: "make build", test: "make test" },
  ],
  [
    "tasks of mise in files",
    { "mise.toml": "[tools]\n", "mise-tasks/test": "#!/bin/sh\n", ".mise/tasks/build": "#!/bin/sh\n" },
    { build: "mise run build", test: "mise run test" },
  ],
  [
    "pixi, whose programs are on no other path",
    { "pyproject.toml": "[project]\nname = 'x'\n[tool.pixi.workspace]\n[tool.pytest.ini_options]\n" },
    { manager: "pixi", install: "pixi install", test: "pixi run pytest" },
  ],
  [
    "pixi with tasks",
    { "pyproject.toml": "[tool.pixi.tasks]\ntest = 'pytest'\nlint = 'ruff check'\n" },
    { test: "pixi run test", lint: "pixi run lint" },
  ],
  ["Deno without a test", { "deno.json": "{}", "main.ts": "" }, { test: null }],
  ["Deno with tests in a folder", { "deno.json": "{}", "lib/a_test.ts": "" }, { test: "deno test" }],
  [
    "what all languages of a project need",
    {
      "composer.json": json({ require: { "laravel/framework": "12" } }),
      artisan: "",
      "a.php": "",
      "package.json": json({ scripts: { build: "vite build" } }),
    },
    { install: "composer install && npm install", build: "npm run build", test: "php artisan test" },
  ],
  [
    "projects in folders of a root that is none",
    {
      "README.md": "",
      "backend/pyproject.toml": '[project]\nname = "api"\n[dependency-groups]\ndev = ["pytest"]\n',
      "backend/uv.lock": "",
      "backend/a.py": "",
      "backend/b.py": "",
      "frontend/package.json": json({ name: "web", scripts: { test: "vitest run", dev: "vite" } }),
      "frontend/a.js": "",
      "docs/package.json": json({ scripts: { test: "linkcheck" } }),
    },
    {
      type: "python",
      name: null,
      manager: "uv",
      install: "cd backend && uv sync && cd ../frontend && npm install",
      test: "cd backend && uv run pytest && cd ../frontend && npm test",
      run: "cd frontend && npm run dev",
      build: null,
    },
  ],
  [
    "of such folders what the root's own runner has comes first",
    { Makefile: "test:\n\ttrue\n", "api/go.mod": "module x/api\n", "api/main.go": "" },
    { type: "go", build: "cd api && go build ./...", test: "make test" },
  ],
  [
    "a hostile folder is in no command",
    { "a;reboot/package.json": json({ scripts: { test: "x" } }), "a;reboot/a.js": "" },
    { type: "javascript", test: null },
  ],
  [
    "a folder without tests leaves the question open",
    { "a/package.json": json({ scripts: { test: "x" } }), "b/package.json": "{}", "b/b.js": "" },
    { test: null },
  ],
  [
    "an Nx workspace",
    { "nx.json": "{}", "package.json": json({ devDependencies: { nx: "20", jest: "29" } }), "package-lock.json": "" },
    { build: "npx nx run-many -t build", test: "npx nx run-many -t test", lint: "npx nx run-many -t lint" },
  ],
  [
    "Nx without any test program builds all the same",
    { "nx.json": "{}", "package.json": json({ devDependencies: { nx: "20" } }), "package-lock.json": "" },
    { build: "npx nx run-many -t build", test: null, lint: "npx nx run-many -t lint" },
  ],
];

describe("detection", () => {
  test.each(cases)("case: %s", (_, files, told) => {
    const found = look(files);
    const flat = {
      ...found.commands,
      type: found.type,
      name: found.name,
      manager: found.stacks[0]?.manager ?? null,
    };
    expect(flat).toMatchObject(told);
  });

  test("lists all languages and takes the one with most source as the type", () => {
    const found = look({
      "package.json": "{}",
      "pyproject.toml": "",
      "a.py": "",
      "b.py": "",
      "c.js": "",
      "node_modules/x/a.js": "",
      "node_modules/x/b.js": "",
    });
    expect(found.stacks.map(({ language }) => language)).toEqual(["python", "javascript"]);
    expect(found.type).toBe("python");
  });
});

describe("the existing layout", () => {
  test.each([
    ["none", {}],
    ["partial", { ".ralph/logs/": "" }],
    ["ralph", { ".ralph/PROMPT.md": "" }],
    ["flat", { "PROMPT.md": "", "@fix_plan.md": "" }],
    ["none", { "PROMPT.md": "of somebody else" }],
  ] as const)("is recognised as %s", (kind, files) => expect(look(files).layout.kind).toBe(kind));

  test("has BMAD's folder from its settings, but never outside the project", () => {
    const folder = { "docs/plans/prd.md": "", "docs/planning/prd.md": "" };
    const stated = (path: string) =>
      look({ ...folder, "_bmad/config.yaml": `planning_artifacts: "${path}"\n` }).layout.bmad;
    expect(stated("{project-root}/docs/plans")).toBe("docs/plans");
    expect(stated("../docs/plans")).toBe("docs/planning");
    expect(stated("/etc")).toBe("docs/planning");
  });

  test("names the files in effect by their paths", () => {
    const { layout } = look({
      ".ralph/PROMPT.md": "",
      ".ralph/fix_plan.md": "",
      ".ralphrc": "",
      ".beads/x": "",
      "bmalph/config.json": "{}",
    });
    expect(layout).toMatchObject({
      plan: ".ralph/fix_plan.md",
      settings: ".ralphrc",
      agent: null,
      beads: true,
      bmalph: true,
    });
  });
});

describe("task sources", () => {
  test.each([
    ["https://github.com/o/r.git", { owner: "o", repo: "r" }],
    ["git@github.com:o/r.git", { owner: "o", repo: "r" }],
    ["ssh://git@ssh.github.com:443/o/r", { owner: "o", repo: "r" }],
    ["https://user:secret@github.com/o/r/", { owner: "o", repo: "r" }],
    ["https://github.com.evil.example/o/r", null],
    ["https://gitlab.com/o/r", null],
    ["https://github.com/o/..", null],
    ["https://github.com/o/$(x)", null],
    ["nonsense", null],
    [null, null],
  ])("find the GitHub repository of the remote %p", (remote, github) =>
    expect(look({}, remote).github).toEqual(github),
  );

  test("list documents that look like requirements once each, the PRD first", () => {
    const found = look({
      "docs/prd.md": "",
      "requirements.txt": "",
      "requirements.md": "",
      "docs/specs/api-spec.md": "",
      "inspector.md": "",
      "docs/logo.png": "",
    });
    expect(found.prds).toEqual(["docs/prd.md", "docs/specs/api-spec.md", "requirements.md"]);
  });
});
