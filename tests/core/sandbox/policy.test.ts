import { describe, expect, test } from "bun:test";
import { badDomains, networkText, sandboxNetwork } from "../../../src/core/sandbox/network.ts";
import { mustStayAbsent, type SandboxPlace, sandboxMounts } from "../../../src/core/sandbox/policy.ts";
import { ownVariable, sandboxEnv } from "../../../src/core/sandbox/sandbox-env.ts";

const FILES = new Set([
  "/p/.ralph/fix_plan.md",
  "/p/.ralph/lock",
  "/p/checks/deep/test.sh",
  "/p/.git/config",
  "/h/.claude/settings.json",
]);
const FOLDERS = new Set([
  "/p",
  "/p/.git",
  "/p/.git/hooks",
  "/p/.ralph",
  "/p/.ralph/specs",
  "/h",
  "/h/.claude",
  "/h/.nvm",
]);
const kindOf = (path: string) => (FILES.has(path) ? "file" : FOLDERS.has(path) ? "folder" : null);
const PLACE: SandboxPlace = {
  project: "/p",
  home: "/h",
  programs: ["/usr/bin", "/h/.nvm"],
  repository: { gitDir: "/p/.git", commonDir: "/p/.git" },
  obeyed: ["/p/checks/hooks", "/p/checks/deep/test.sh"],
  work: ["/p/.ralph/fix_plan.md", "/p/.ralph/specs"],
  room: "/p/.ralph/runs/1/inside",
  names: ["fix_plan.md", "lock", "specs"],
  own: [
    { path: "/h/.guarded", show: "empty" },
    { path: "/h/.guarded/settings", show: "writable", from: "/copies/settings" },
  ],
  fixed: ["/p/checks/deep/test.sh", "/p/gone.sh"],
  needs: { domains: ["api.example.org"], state: ["/h/.claude"], fixed: ["/h/.claude/settings.json"], env: ["OWN_"] },
};

describe("what a sandboxed agent sees", () => {
  const mounts = sandboxMounts(PLACE, kindOf);
  const shown = new Map(mounts.map(({ path, show }) => [path, show]));

  test("is the project, and of the home only tools and the agent's own state", () => {
    expect(shown.get("/h")).toBe("empty");
    expect(shown.get("/h/.nvm")).toBe("read-only");
    expect(shown.get("/h/.claude")).toBe("writable");
    expect(shown.get("/h/.claude/settings.json")).toBe("read-only");
    expect(shown.get("/p")).toBe("writable");
  });
  test("is a room with its plan in place of ralph's folder, whose entries it may read, and its specs", () => {
    expect(mounts).toContainEqual({ path: "/p/.ralph", show: "writable", from: PLACE.room });
    expect(shown.get("/p/.ralph/lock")).toBe("read-only");
    expect(shown.has("/p/.ralph/fix_plan.md")).toBe(false);
    expect(shown.get("/p/.ralph/specs")).toBe("writable");
    // Ralph removes files of its state whenever it has to.
    expect(mounts).toContainEqual({ path: "/p/.ralph/lock", show: "read-only", mayGo: true });
    expect(mounts.filter(({ path, mayGo }) => mayGo && !path.startsWith("/p/.ralph/"))).toEqual([]);
  });
  test("is the repository, without what makes git run something", () => {
    expect(shown.get("/p/.git")).toBe("writable");
    expect(shown.get("/p/.git/config")).toBe("read-only");
    expect(shown.get("/p/.git/hooks")).toBe("read-only");
  });
  test("holds a gate file in its place by its folders", () => {
    expect(shown.get("/p/checks/deep/test.sh")).toBe("read-only");
    expect(shown.get("/p/checks/deep")).toBe("writable");
    expect(shown.get("/p/checks")).toBe("writable");
    expect(shown.has("/p/gone.sh")).toBe(false);
  });
  test("names parents before what lies in them", () => {
    const order = mounts.map(({ path }) => path);
    for (const path of order)
      for (const other of order)
        if (other.startsWith(`${path}/`)) expect(order.indexOf(path)).toBeLessThan(order.indexOf(other));
  });
  test("is not a way round for git: what could be is looked for after each call", () => {
    expect(mustStayAbsent(PLACE)).toContain("/p/.git/commondir");
    expect(mustStayAbsent(PLACE)).toContain("/p/.git/config.worktree");
    expect(mustStayAbsent({ ...PLACE, repository: null })).toContain("/p/.git/commondir");
    expect(mustStayAbsent({ ...PLACE, repository: null })).toContain("/p/.git/config");
  });
});

describe("the network of a sandbox", () => {
  test("is the agents' hosts, those of the user, and registries of packages", () => {
    const network = sandboxNetwork(["example.com"], [PLACE.needs]);
    expect(network).toContain("api.example.org");
    expect(network).toContain("example.com");
    expect(network).toContain("registry.npmjs.org");
    expect(networkText(network)).toBe("network: api.example.org, example.com, package registries");
  });
  test("is nothing or everything where the user says so", () => {
    expect(sandboxNetwork(["none"], [PLACE.needs])).toBe("none");
    expect(sandboxNetwork(["*"], [PLACE.needs])).toBe("open");
    expect([networkText("none"), networkText("open")]).toEqual(["no network", "all of the network"]);
  });
  test.each([["a.b.org"], ["*.b.org"], ["localhost"], ["none"], ["*"]])("takes %s", (entry) =>
    expect(badDomains([entry])).toEqual([]),
  );
  test.each([["https://a.org"], ["*.*"], ["a b.org"], ["a.org/x"], [""], ["*.org*"]])("refuses %p", (entry) =>
    expect(badDomains([entry])).toEqual([entry]),
  );
});

describe("the environment of a sandboxed agent", () => {
  const env = {
    PATH: "/bin",
    LANG: "C",
    OWN_API_KEY: "own",
    GITHUB_TOKEN: "x",
    AWS_ACCESS_KEY_ID: "x",
    DATABASE_URL: "x",
    db_password: "x",
    SSH_AUTH_SOCK: "x",
    HTTPS_PROXY: "x",
    TMPDIR: "/x",
  };
  test("keeps the agent's own credentials and no others", () => {
    const kept = sandboxEnv(env, ownVariable(["OWN_"], []), false);
    expect(kept).toEqual({ PATH: "/bin", LANG: "C", OWN_API_KEY: "own", TMPDIR: "/tmp", IS_SANDBOX: "1" });
  });
  test("keeps what SANDBOX_ENV names, word for word or by its beginning", () => {
    const names = (allowed: string[]) => Object.keys(sandboxEnv(env, ownVariable([], allowed), false)).sort();
    const always = ["IS_SANDBOX", "LANG", "PATH", "TMPDIR"];
    expect(names(["GITHUB_TOKEN", "DATABASE"])).toEqual([...always, "GITHUB_TOKEN"].sort());
    expect(names(["AWS_*"])).toEqual([...always, "AWS_ACCESS_KEY_ID"].sort());
  });
  test("keeps the proxy where the network is ralph's", () => {
    expect(sandboxEnv(env, () => false, true).HTTPS_PROXY).toBe("x");
  });
});
