/** What lets a command pass, or lets it look at less. */
export const LENIENT: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\|\|\s*(?:true\b|:|exit 0|echo\b)/, "a failure is ignored"],
  [/;\s*(?:true|exit 0)\b|\bexit 0\b|\bset \+e\b/, "a failure is ignored"],
  [/--passWithNoTests\b|--pass-with-no-tests\b|passWithNoTests:\s*true/, "no tests at all would pass"],
  [
    /--(?:exit-zero|no-fail|allow-failure|forceExit-ok|warn-only|no-error-on-unmatched-pattern|no-errors)\b/,
    "a failure is ignored",
  ],
  [
    /continue-on-error:\s*true|allow_failure:\s*true|ignoreFailures\s*=\s*true|testFailureIgnore>\s*true|failOnError:\s*false|<skipTests>\s*true|-DskipTests|-x test\b/,
    "a failure is ignored",
  ],
  [
    /--(?:testPathIgnorePatterns|ignore|ignore-glob|exclude\w*|deselect|skip|skipTest|modulePathIgnorePatterns|grep|fgrep|invert|testNamePattern|test-name-pattern|test-skip-pattern)\b/,
    "some tests are left out",
  ],
  [
    /(?:^|(?<!\bpy(?:thon[\d.]*)?|\b(?:npm|pnpm|yarn|bun)\s+(?:i|install|add))[\s"'])-(?:k|t|m|g)[\s=]+\S/,
    "some tests are left out",
  ],
  [/^\s*addopts\s*=.*["']-[km]["']/, "some tests are left out"],
  [/\bif:\s*(?:\$\{\{\s*)?false\b|\bwhen:\s*(?:never|manual)\b|\bstages:\s*\[\s*manual\b/, "a step never runs"],
  [
    /--(?:onlyChanged|changedSince|changed|onlyFailures|last-failed|lf|test-only|findRelatedTests|related|collect-only|list-tests|listTests|no-run|dry-run)\b/,
    "some tests are left out",
  ],
  [
    /\b(?:rm|rimraf|del|mv|unlink|sed -i|git (?:checkout|stash|rm|clean|reset))\b[^&|;]*(?:test|spec)/,
    "it changes the tests before they run",
  ],
  [/--tag\s+["']?~|^\s*(?:paths-ignore|branches-ignore):/, "some tests are left out"],
  [/\bretr(?:y|ies)["']?\s*[:=]\s*(?:[1-9]|process\.env)|--(?:retries|retry|reruns)\b/, "a failure may be tried again"],
  [
    /\bdangerouslyIgnore\w+:\s*true|^\s*["']?ignore(?:::|\s*$)|\bissues-exit-code:\s*0|\bignore_outcome\s*=\s*true/i,
    "a failure is ignored",
  ],
  [
    /^\s*(?:commands\s*=)?\s*-\s+(?:pytest|python|tox|nox)\b|^\t-\s*\S|\|\s*(?:tee|cat|head|tail|grep)\b/,
    "a failure is ignored",
  ],
  [
    /^\s*(?:test|harness|doctest)\s*=\s*false|\benabled\s*=\s*false|"?enabled"?:\s*false|\bEnabled:\s*false/,
    "a check is switched off",
  ],
  [
    /--no-(?:verify|coverage|lint|typecheck|eslintrc|config-lookup)\b|--max-warnings[= ](?!0\b)\d|--rule\b|-vet=off\b/,
    "a check is switched off",
  ],
  [/\bnoCheck["']?\s*:\s*true|\bforbid-?[oO]nly["']?\s*[:=]\s*false/, "a check is switched off"],
  [/^\s*["']?(?:f?grep|grepInvert|testNamePattern)["']?\s*[:=](?!\s*false\b)/, "some tests are left out"],
  [/^\s*<groups>/, "some tests are left out"],
  [/^\s*autotests\s*=\s*false|^\s*required-features\s*=/, "some tests are left out"],
  [
    /^\s*(?:SHELL|script-shell)\s*[:?+]*=\s*(?!\s|\S*sh(?:\.exe)?\b|\S*\benv\s+\S*sh\b)|^\s*\.SHELLFLAGS\s*[:?+]*=(?!.*-\w*e)|^\.IGNORE\b|^\s+@?-@?(?:cargo|go|npm|pnpm|yarn|bun|node|deno|pytest|python3?|make|mvn|gradle|dotnet|bundle|rspec|phpunit|ctest)\b/,
    "a failure is ignored",
  ],
  [
    /^\s*(?:function\s+)?(?:npm|npx|pnpm|yarn|bun|node|deno|go|cargo|pytest|python3?|make|tsc|eslint|exit|set)\s*\(\)|^\s*alias\s+[\w-]+=/,
    "something stands in the place of a program",
  ],
  // A folder of the project, none of programs or tools, comes before those of the system.
  [
    /\bPATH\s*:?=\s*["']?(?:\.{1,2}|\$?[{(]?(?:pwd|curdir)[)}]?|\/tmp)\/(?![^:"'\s]*(?:bin|script|shim|tool|sdk|target|build|venv))[^:"'\s]*:/i,
    "something stands in the place of a program",
  ],
];

/** The same of a command that stood there without: new commands may well mend files, or try some tests. */
export const INSTEAD: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/--fix\b|--write\b/, "it mends what it looks at"],
  [/\bnx:noop\b/, "it does nothing now"],
  [/\bgo test\b[^&|;]{0,200}\s-(?:short|run|skip)\b/, "some tests are left out"],
];

/** Parts of TypeScript's `strict` that are taken out of it. */
export const STRICT_PARTS =
  /\b(?:strict(?!Port\b)\w*|noImplicit(?:Any|This)|useUnknownInCatchVariables|alwaysStrict)["']?\s*:\s*false\b/;
