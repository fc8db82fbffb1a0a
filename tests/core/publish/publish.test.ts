import { describe, expect, test } from "bun:test";
import type { State } from "../../../src/core/journal/state.ts";
import { noLooks } from "../../../src/core/look/look-state.ts";
import { commitMessage } from "../../../src/core/publish/commit-message.ts";
import { gitFailure } from "../../../src/core/publish/git-failure.ts";
import {
  afterGitStep,
  carriedPublishing,
  describeFailedSteps,
  noPublishing,
} from "../../../src/core/publish/git-step.ts";
import { isLeftLock, lockInTheWay, removesLock } from "../../../src/core/publish/index-lock.ts";
import { nextTag, parseTag, tagOf } from "../../../src/core/publish/next-tag.ts";
import { isMainBranch, parsePush, pushStep, pushToMainHint } from "../../../src/core/publish/push-target.ts";
import { gatesSay, hasGitSteps, mayCall } from "../../../src/core/publish/steps.ts";
import { HOUR, NOON, settingsOf, stateOf } from "../given.ts";

describe("the message of a commit", () => {
  const about = { run: "2026-01-02", iteration: 3 };
  test("has the task, and the run in a trailer", () => {
    expect(commitMessage({ ...about, tasks: ["**Add** the `parser`", "Test it"] })).toBe(
      "Add the parser\n\nTest it\n\nRalph-Run: 2026-01-02, iteration 3\n",
    );
    expect(commitMessage({ ...about, tasks: [] })).toStartWith("Work of iteration 3\n\nRalph-Run: ");
    expect(commitMessage({ ...about, tasks: ["two\nlines"] })).toStartWith("two lines\n\n");
    expect(commitMessage({ ...about, tasks: ["**", "` Say hello `"] })).toStartWith("Say hello\n\nRalph-Run: ");
  });

  test("cuts a long task at a word, within 72 characters, and keeps all of it below", () => {
    const task = `Übertrage ${"viele Wörter ".repeat(12)}zuletzt`;
    const [subject = "", , body] = commitMessage({ ...about, tasks: [task] }).split("\n");
    expect([...subject].length).toBeLessThanOrEqual(72);
    expect(task.startsWith(subject.replace("…", ""))).toBe(true);
    expect(task[subject.length - 1]).toBe(" ");
    expect(body).toBe(task);
    expect([...(commitMessage({ ...about, tasks: ["😀".repeat(100)] }).split("\n")[0] ?? "")]).toHaveLength(72);
  });
});

describe("a tag", () => {
  const of = (text: string, names: readonly string[]) => {
    const rule = parseTag(text);
    return rule === null ? null : nextTag(rule, names);
  };
  test.each([
    ["patch", [], "v0.0.1"],
    ["minor", [], "v0.1.0"],
    ["patch", ["1.2.4", "v1.2.3"], "1.2.5"],
    ["patch", ["v1.9.0", "v1.10.0", "release", "v2.0.0-rc.1"], "v1.10.1"],
    ["minor", ["v1.9.7"], "v1.10.0"],
    ["patch", ["v1.2.3", "v1.2.10", "v1.0.99"], "v1.2.11"],
    ["patch", ["v1.9.9", "v2.0.0"], "v2.0.1"],
    ["n-{n}", ["n-9", "n-10", "n-x", "xn-99", "n-99x", "xx99"], "n-11"],
    ["n-{n}.x", ["n-7.x", "n-99", "n-99xx", "99.x", "n-1234567890.x"], "n-8.x"],
    ["{n}/ok", [], "1/ok"],
  ])("%s after %p is %s", (rule, names, next) => {
    expect(of(rule, names)).toBe(next);
  });

  test.each(["major", "", "name", "{n}{n}", "a b-{n}", "-{n}", "a..{n}", "{n}.lock", "a~{n}", "a/{n}/"])(
    "%p is no rule",
    (text) => {
      expect(parseTag(text)).toBeNull();
    },
  );

  test("is recognised as made by the same rule", () => {
    expect(tagOf({ kind: "patch" }, ["x", "v1.0.0"])).toBe("v1.0.0");
    expect(tagOf({ kind: "name", before: "n-", after: "" }, ["v1.0.0", "n-3"])).toBe("n-3");
    expect(tagOf({ kind: "patch" }, ["n-3"])).toBeNull();
  });
});

describe("where to push", () => {
  test.each([
    ["auto", { remote: null, branch: null }],
    ["origin", { remote: "origin", branch: null }],
    ["my-fork:feat/a.b", { remote: "my-fork", branch: "feat/a.b" }],
    ["auto:main", { remote: null, branch: "main" }],
  ])("%s", (text, target) => {
    expect(parsePush(text)).toEqual(target);
  });

  test.each(["", "-x", "a b", "origin:", ":main", "origin:-f", "https://example.org/x", "+origin"])(
    "%p is nowhere",
    (text) => {
      expect(parsePush(text)).toBeNull();
    },
  );

  test("the main branch is the remote's own, or what is usually called so", () => {
    expect(isMainBranch("develop", "develop")).toBe(true);
    expect(isMainBranch("master", "develop")).toBe(true);
    expect(isMainBranch("work", null)).toBe(false);
  });

  test("only what was rewritten here is replaced, and never on a main branch", () => {
    const branch = { tip: "b", isBehind: false, isRewritten: false, isMain: false };
    expect(pushStep("a", { ...branch, tip: "a" })).toBe("nothing");
    expect(pushStep("a", { ...branch, tip: null })).toBe("push");
    expect(pushStep("a", { ...branch, isBehind: true })).toBe("push");
    expect(pushStep("a", branch)).toBe("foreign");
    expect(pushStep("a", { ...branch, isRewritten: true })).toBe("force");
    expect(pushStep("a", { ...branch, isRewritten: true, isMain: true })).toBe("foreign");
  });
});

test.each([
  ["fatal: unable to access 'https://x/': Could not resolve host: x", "passing"],
  ["ssh: connect to host x port 22: Connection timed out\nfatal: Could not read from remote repository.", "passing"],
  ["error: RPC failed; HTTP 502 curl 22", "passing"],
  ["fatal: the remote end hung up unexpectedly", "passing"],
  ["fatal: the remote end hung up upon initial contact", "passing"],
  ["Connection to x closed by remote host.\nfatal: Could not read from remote repository.", "passing"],
  ["ssh: connect to host x port 22: Host is down\nfatal: Could not read from remote repository.", "passing"],
  ["! [remote rejected] a -> a (Internal Server Error)\nerror: failed to push some refs to 'x'", "passing"],
  ["git@x: Permission denied (publickey).\nfatal: the remote end hung up unexpectedly", "permanent"],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 403", "permanent"],
  ["fatal: could not read Username for 'https://x': terminal prompts disabled", "permanent"],
  ["! [remote rejected] a -> a (pre-receive hook declined)\nerror: failed to push some refs to 'x'", "permanent"],
  ["fatal: '/x' does not appear to be a git repository", "permanent"],
  ["error: file write error: No space left on device", "permanent"],
  ["! [rejected] a -> a (fetch first)\nerror: failed to push some refs to 'x'", "moved"],
  ["! [rejected] a -> a (stale info)", "moved"],
  ["! [rejected] v1 -> v1 (already exists)", "moved"],
  ["error: Cannot lock ref 'refs/heads/a': is at 1 but expected 2", "moved"],
  ["something new", "permanent"],
])("%p is %s", (said, kind) => {
  expect(gitFailure(said)).toBe(kind as ReturnType<typeof gitFailure>);
});

describe("the state of the steps", () => {
  const begun = {
    step: "rebase",
    result: "begun",
    text: "",
    branch: "a",
    from: "1",
    onto: "2",
    kept: "3",
    iteration: 1,
  } as const;
  const failed = { step: "push", result: "failed", text: "Not pushed: no.", iteration: 1 } as const;

  test("a conflict changes nothing yet: the rebase is under way", () => {
    const state = afterGitStep(afterGitStep(noPublishing(), failed), begun);
    expect(afterGitStep(state, { ...begun, result: "conflict" })).toEqual(state);
  });

  test("a rebase that lacks a branch, or what it was or comes to, is none", () => {
    for (const lacks of ["branch", "from", "onto"])
      expect(afterGitStep(noPublishing(), { ...begun, [lacks]: undefined })).toEqual(noPublishing());
    const { kept: _, ...unkept } = begun;
    expect(afterGitStep(noPublishing(), unkept).rebase).toEqual({ branch: "a", from: "1", onto: "2", kept: null });
  });

  test("the last fifty rewritten commits are remembered", () => {
    let state = noPublishing();
    for (let at = 1; at <= 60; at += 1) state = afterGitStep(state, { ...begun, from: String(at) });
    expect(state.rewritten).toEqual(Array.from({ length: 50 }, (_, at) => String(at + 11)));
  });

  test("each step that failed is told, with what mends it", () => {
    const tag = { step: "tag", result: "failed", text: "Not tagged.", command: "git tag v1", iteration: 2 } as const;
    const state = afterGitStep(afterGitStep(noPublishing(), failed), tag);
    expect(describeFailedSteps(state)).toBe(" Not pushed: no. Not tagged.");
    expect(state.failed.tag).toEqual({ iteration: 2, text: "Not tagged.", command: "git tag v1" });
  });

  test("a failure stays until the step is done, and is told at the end", () => {
    const state = afterGitStep(noPublishing(), failed);
    expect(describeFailedSteps(state)).toBe(" Not pushed: no.");
    expect(state.failed.push).toEqual({ iteration: 1, text: "Not pushed: no.", command: null });
    const after = afterGitStep(state, { step: "push", result: "done", text: "", iteration: 2 });
    expect(describeFailedSteps(after)).toBe("");
  });

  test("a rebase is under way until it is done or given up, and what it rewrote is remembered", () => {
    const state = afterGitStep(noPublishing(), begun);
    expect(state.rebase).toEqual({ branch: "a", from: "1", onto: "2", kept: "3" });
    expect(afterGitStep(state, failed).rebase).not.toBeNull();
    const stays = { step: "rebase", result: "failed", text: "", stays: true, iteration: 1 } as const;
    expect(afterGitStep(state, stays).rebase).not.toBeNull();
    expect(afterGitStep(state, { ...begun, result: "done" })).toEqual({ rebase: null, rewritten: ["1"], failed: {} });
  });
});

test("only commits by their ids are known as replaced by a rebase: a clone's journal may name whatever the remote has", () => {
  const id = "0123456789abcdef0123456789abcdef01234567";
  const rewritten = ["refs/remotes/origin/work", "FETCH_HEAD", "--all", id, "0123456", `x${id}`, `${id}~`];
  expect(carriedPublishing({ ...noPublishing(), rewritten }).rewritten).toEqual([id]);
});

test("the flag that pushes to a main branch can be pasted", () => {
  expect(pushToMainHint("origin", "main")).toEndWith("--push=origin:main");
  expect(pushToMainHint("origin", "a;b")).toEndWith('--push="origin:a;b"');
});

describe("a lock file that a killed git left", () => {
  test("is told once it was not touched for ten seconds", () => {
    expect([9999, 10_000].map((ms) => isLeftLock({ since: NOON }, NOON + ms))).toEqual([false, true]);
  });

  test("is known by git's words alone, and removed by a command that can be pasted", () => {
    const said = (path: string) =>
      `fatal: Unable to create '${path}': File exists.\n\nAnother git process seems to run`;
    expect(lockInTheWay(said("/a b/.git/index.lock"))).toBe("/a b/.git/index.lock");
    expect(lockInTheWay(said("C:\\a\\.git\\index.lock"))).toBe("C:\\a\\.git\\index.lock");
    expect(lockInTheWay(said("/a/.git/HEAD.lock"))).toBeNull();
    expect(lockInTheWay("nothing to commit")).toBeNull();
    expect(removesLock("/a b/.git/index.lock")).toBe('rm "/a b/.git/index.lock"');
  });
});

describe("when the git steps are due", () => {
  const none = { COMMIT: false, REBASE_ON: null, PUSH: null, TAG: null };
  const rebase = { branch: "a", from: "1", onto: "2", kept: null };

  test("if one of them is on, or a rebase has to be given up", () => {
    expect(hasGitSteps(none, stateOf())).toBe(false);
    for (const one of [{ COMMIT: true }, { REBASE_ON: "main" }, { PUSH: "auto" }, { TAG: "patch" }])
      expect([one, hasGitSteps({ ...none, ...one }, stateOf())]).toEqual([one, true]);
    expect(hasGitSteps(none, stateOf({ publish: { ...noPublishing(), rebase } }))).toBe(true);
  });

  const gate = (command: string, ok: boolean) => ({
    command,
    ok,
    exit_code: ok ? 0 : 1,
    timed_out: false,
    ms: 1,
    tail: "",
  });
  const two = settingsOf({ QUALITY_GATES: ["one", "two"] });
  const says = (gates: State["gates"], settings = two) => gatesSay(stateOf({ gates }), settings);

  test("the gates are green if each ran green on the work as it is, and red if any ran red", () => {
    expect(says([gate("one", true), gate("two", true)])).toBe("green");
    expect(says([gate("one", true), gate("two", false)])).toBe("red");
    expect(says([gate("one", true)])).toBe("unknown");
    expect(says([])).toBe("unknown");
    expect(says([gate("one", true), { ...gate("two", true), unrun: true }])).toBe("unknown");
    expect(says([gate("one", true), { ...gate("two", false), unrun: true }])).toBe("unknown");
  });

  test("there are none only without gates of the settings, gaps of a look and hidden ones", () => {
    expect(says([], settingsOf())).toBe("none");
    const looked = stateOf({ looks: { ...noLooks(), gaps: [{ text: "x" } as never] } });
    expect(gatesSay(looked, settingsOf())).toBe("unknown");
    expect(says([], settingsOf({ HIDDEN_GATES: ["h.json"] }))).toBe("unknown");
    expect(says([gate("h.json", true)], settingsOf({ HIDDEN_GATES: ["h.json"] }))).toBe("green");
    expect(says([gate("h.json", false)], settingsOf({ HIDDEN_GATES: ["h.json"] }))).toBe("red");
  });

  test("an agent may be called for a conflict within every bound but that of iterations", () => {
    const settings = settingsOf({ MAX_ITERATIONS: 1, MAX_TIME: 60 });
    const state = stateOf({ iterations: 1, started_at: new Date(NOON).toISOString() });
    const may = (at: State, now = NOON) => mayCall(at, settings, now);
    expect(may(state)).toBe(true);
    expect(may(state, NOON + 2 * HOUR)).toBe(false);
    expect(may({ ...state, stop_requested: { by: "user", how: "after_iteration" } })).toBe(false);
    expect(may({ ...state, paused: true })).toBe(false);
  });
});
