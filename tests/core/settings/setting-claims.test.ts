// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the shell is what is tested
import { expect, test } from "bun:test";
import { type FlagSettings, resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import { settingClaims } from "../../../src/core/settings/setting-claims.ts";
import { SETTING_NAMES, settingSpec } from "../../../src/core/settings/settings.ts";

type Given = {
  text?: string;
  user?: string;
  env?: Record<string, string>;
  flags?: FlagSettings;
  anyRun?: boolean;
};

const SANDBOX_FLAG: FlagSettings = { SANDBOX: { text: "podman", flag: "--sandbox" } };

/** What a project claims: `KEY=value` by line. */
function claims({ text = "", user, env = {}, flags = {}, anyRun = false }: Given): string[] {
  const files = {
    file: { path: ".ralph/.ralphrc", text },
    user: user === undefined ? null : { path: "/me/ralphrc", text: user },
  };
  const resolved = resolveSettings({ flags, env, ...files });
  return settingClaims(resolved, { ...files, env }, anyRun).map(({ key, value, where }) => `${where}: ${key}=${value}`);
}

test.each<[string, Given, string[]]>([
  ["nothing, where there is nothing", {}, []],
  ["nothing, where bounds and built-in agents are named", { text: "MAX_TIME=8h\nPLATFORM_DRIVER=codex\n" }, []],
  ["a command", { text: "A=1\nCLAUDE_CODE_CMD=./x\n" }, [".ralph/.ralphrc:2: CLAUDE_CODE_CMD=./x"]],
  ["the last of two", { text: "TEST_COMMAND=a\nTEST_COMMAND=b\n" }, [".ralph/.ralphrc:2: TEST_COMMAND=b"]],
  ["nothing, where the line is taken back", { text: "TEST_COMMAND=a\nTEST_COMMAND=\n" }, []],
  ["a push to a remote", { text: "COMMIT=true\nPUSH=auto\n" }, [".ralph/.ralphrc:2: PUSH=auto"]],
  ["a command by an earlier line", { text: "X=./x\nNOTIFY_COMMAND=$X\n" }, [".ralph/.ralphrc:2: NOTIFY_COMMAND=./x"]],
  ["nothing that the environment overrules", { text: "TEST_COMMAND=a\n", env: { TEST_COMMAND: "b" } }, []],
  ["nothing of the user's own file", { user: "TEST_COMMAND=a\nCLAUDE_CODE_CMD=b\nPREAMBLE=$S\n", env: { S: "s" } }, []],
  [
    "variables by name, in what the agent or a program gets",
    { text: 'PREAMBLE="a $S"\nQUALITY_GATES="${S};b"\n', env: { S: "secret" } },
    [".ralph/.ralphrc:1: PREAMBLE=a ${S}", ".ralph/.ralphrc:2: QUALITY_GATES=${S};b"],
  ],
  [
    "a variable through an earlier line",
    { text: "X=$S\nPREAMBLE=$X\n", env: { S: "secret" } },
    [".ralph/.ralphrc:2: PREAMBLE=${S}"],
  ],
  [
    "no variable that is not set, literal, HOME or in a figure",
    {
      text: "PREAMBLE='$S' \nPROJECT_NAME=$HOME\nPROJECT_TYPE=${NOT:-x}\nMAX_ITERATIONS=${N:-3}\n",
      env: { S: "secret", HOME: "/me", N: "4" },
    },
    [],
  ],
  [
    "a higher bound of cost than the user's own, and none in its place",
    {
      text: "MAX_COST_PER_DAY=1000\nMAX_COST_PER_TASK=none\nMAX_COST_USD=5\n",
      user: "MAX_COST_PER_DAY=10\nMAX_COST_PER_TASK=1\nMAX_COST_USD=5\n",
    },
    [".ralph/.ralphrc:2: MAX_COST_PER_TASK=none", ".ralph/.ralphrc:1: MAX_COST_PER_DAY=1000"],
  ],
  ["no bound of cost, where the user set none", { text: "MAX_COST_PER_DAY=1000\n", user: "MAX_COST_USD=5\n" }, []],
  ["no mode, where the user set none", { text: "CLAUDE_PERMISSION_MODE=bypassPermissions\nALLOWED_TOOLS=Odd\n" }, []],
  [
    "a wider mode than the user's own",
    { text: "CLAUDE_PERMISSION_MODE=auto\n", user: "CLAUDE_PERMISSION_MODE=acceptEdits\n" },
    [".ralph/.ralphrc:1: CLAUDE_PERMISSION_MODE=auto"],
  ],
  ["no narrower mode", { text: "CLAUDE_PERMISSION_MODE=plan\n", user: "CLAUDE_PERMISSION_MODE=acceptEdits\n" }, []],
  ["no equal mode", { text: "CLAUDE_PERMISSION_MODE=auto\n", user: "CLAUDE_PERMISSION_MODE=auto\n" }, []],
  [
    "more tools than the user's own",
    { text: "ALLOWED_TOOLS=Read,Bash\n", user: "ALLOWED_TOOLS=Read,Edit\n" },
    [".ralph/.ralphrc:1: ALLOWED_TOOLS=Read,Bash"],
  ],
  [
    "more variables in the sandbox than the user's own",
    { text: "SANDBOX_ENV=A_KEY,B_KEY\n", user: "SANDBOX=os\nSANDBOX_ENV=A_KEY\n" },
    [".ralph/.ralphrc:1: SANDBOX_ENV=A_KEY,B_KEY"],
  ],
  [
    "what widens the sandbox that the user's file names, though that names nothing else",
    { text: "SANDBOX_ALLOW_DOMAINS=*\nSANDBOX_ENV=SECRET_X\nSANDBOX_IMAGE=evil\n", user: "SANDBOX=os\n" },
    [".ralph/.ralphrc:1: SANDBOX_ALLOW_DOMAINS=*", ".ralph/.ralphrc:2: SANDBOX_ENV=SECRET_X"],
  ],
  [
    "what widens the sandbox that the environment names, though the project names one too",
    { text: "SANDBOX=podman\nSANDBOX_ALLOW_DOMAINS=example.org\n", env: { SANDBOX: "os" } },
    [".ralph/.ralphrc:2: SANDBOX_ALLOW_DOMAINS=example.org"],
  ],
  [
    "an image and more of the machine for the container that a flag names",
    { text: "SANDBOX_IMAGE=evil\nSANDBOX_MEMORY=64g\nSANDBOX_CPUS=2.5\n", flags: SANDBOX_FLAG },
    [
      ".ralph/.ralphrc:1: SANDBOX_IMAGE=evil",
      ".ralph/.ralphrc:2: SANDBOX_MEMORY=64g",
      ".ralph/.ralphrc:3: SANDBOX_CPUS=2.5",
    ],
  ],
  ["no less of the machine", { text: "SANDBOX_MEMORY=4096m\nSANDBOX_CPUS=0.5\n", flags: SANDBOX_FLAG }, []],
  [
    "the network that the user took away",
    { text: "SANDBOX_ALLOW_DOMAINS=example.org\n", user: "SANDBOX=os\nSANDBOX_ALLOW_DOMAINS=none\n" },
    [".ralph/.ralphrc:1: SANDBOX_ALLOW_DOMAINS=example.org"],
  ],
  [
    "no network that is not wider",
    { text: "SANDBOX_ALLOW_DOMAINS=none\n", user: "SANDBOX=os\nSANDBOX_ALLOW_DOMAINS=example.org\n" },
    [],
  ],
  [
    "nothing where all of the network is the user's word",
    { text: "SANDBOX_ALLOW_DOMAINS=example.org\n", user: "SANDBOX=os\nSANDBOX_ALLOW_DOMAINS=*\n" },
    [],
  ],
  ["nothing for a sandbox of its own", { text: "SANDBOX=os\nSANDBOX_ALLOW_DOMAINS=*\nSANDBOX_ENV=A_KEY\n" }, []],
  [
    "nothing where a flag takes the sandbox away",
    { text: "SANDBOX_ENV=A\n", user: "SANDBOX=os\n", flags: { SANDBOX: { text: "none", flag: "--sandbox" } } },
    [],
  ],
  [
    "to who asks about any run what would widen a sandbox",
    { text: "SANDBOX=os\nSANDBOX_ENV=A_KEY\nSANDBOX_IMAGE=evil\n", anyRun: true },
    [".ralph/.ralphrc:2: SANDBOX_ENV=A_KEY", ".ralph/.ralphrc:3: SANDBOX_IMAGE=evil"],
  ],
  ["no fewer tools", { text: "ALLOWED_TOOLS=Read\n", user: "ALLOWED_TOOLS=Read,Edit\n" }, []],
])("a project claims %s", (_, given, expected) => expect(claims(given)).toEqual(expected));

test("every setting that names a command is marked", () => {
  const commands = SETTING_NAMES.filter((name) => /CMD|COMMAND$|_GATES$/.test(name) && !settingSpec(name).personal);
  expect(commands.filter((name) => settingSpec(name).trust === undefined)).toEqual([]);
});
