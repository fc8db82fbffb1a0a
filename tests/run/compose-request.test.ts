/** What a call of an agent sends. */
import { describe, expect, test } from "bun:test";
import type { Driver } from "../../src/driver.ts";
import {
  buildCommand,
  composeRequest,
  composeReview,
  composeWork,
  type RequestBase,
  type RequestInput,
} from "../../src/run/compose-request.ts";
import { settingsOf, stateOf } from "../core/given.ts";
import { plainDriver, requestOf } from "./fake-world.ts";

const settings = settingsOf({
  CLAUDE_MODEL: "big",
  CLAUDE_EFFORT: "high",
  CLAUDE_OUTPUT_FORMAT: "text",
  CLAUDE_PERMISSION_MODE: "plan",
  ALLOWED_TOOLS: ["Read", "Write"],
});

const baseOf = (driver: Partial<Driver> = {}): RequestBase => ({
  agent: { driver: { ...plainDriver, ...driver }, binary: ["demo", "--quiet"] },
  settings,
  newSessionId: "chosen",
  cwd: "/project",
  isGitRepository: true,
});

const composed = (driver: Partial<Driver>, input: Partial<RequestInput> = {}) =>
  composeRequest({
    ...baseOf(driver),
    prompt: "Work.",
    context: null,
    resume: null,
    partial: false,
    readOnly: false,
    ...input,
  });

const workWith = (driver: Partial<Driver>, live: boolean, state = stateOf()) =>
  composeWork({ ...baseOf(driver), state, number: 3, resume: "old", prompt: "Work.", plan: null, live });
const workOf = (driver: Partial<Driver>, live: boolean) => workWith(driver, live).request;

describe("a request", () => {
  test("has the model, effort, format and permission mode of the settings", () => {
    expect(composed({})).toMatchObject({
      binary: ["demo", "--quiet"],
      model: "big",
      effort: "high",
      format: "text",
      permissionMode: "plan",
      newSessionId: "chosen",
      cwd: "/project",
      isGitRepository: true,
    });
  });

  test.each<[string, Driver["supportsToolAllowlist"], boolean, readonly string[] | null]>([
    ["contains the allowed tools if the agent takes a list", true, false, ["Read", "Write"]],
    ["contains no tools if the agent takes no list", false, false, null],
    ["contains no tools unless the driver says that the agent takes a list", undefined, false, null],
    ["contains no tools if it only reads, since the list has tools that write", true, true, null],
  ])("%s", (_name, takesList, readOnly, allowedTools) => {
    const driver = takesList === undefined ? {} : { supportsToolAllowlist: takesList };
    expect(composed(driver, { readOnly }).allowedTools).toEqual(allowedTools);
  });

  test.each<[string, Partial<Driver>, string | null]>([
    ["resumes a session by default", {}, "old"],
    ["resumes no session if the agent has none", { supportsSessions: false }, null],
  ])("%s", (_name, driver, resume) => expect(composed(driver, { resume: "old" }).resume).toBe(resume));

  test("resumes no session that is called like a flag of the agent: a journal can name any", () => {
    expect(composed({}, { resume: "--settings={}" }).resume).toBeNull();
  });

  test.each<[string, Partial<Driver>, boolean, boolean]>([
    ["asks for partial text on demand", {}, true, true],
    ["asks for no partial text by default", {}, false, false],
    ["asks for no partial text if the agent has none", { supportsLiveOutput: false }, true, false],
  ])("%s", (_name, driver, wanted, partial) => expect(composed(driver, { partial: wanted }).partial).toBe(partial));
});

describe("the request for work", () => {
  test("may write, and goes on in its session", () => {
    expect(workOf({}, false)).toMatchObject({ prompt: "Work.", readOnly: false, resume: "old" });
  });

  test("is the prompt and then the notes, which are named by themselves as well", () => {
    expect(workWith({}, false).notes).toBeNull();
    const messages = stateOf({ said: [{ at: "2026-03-04T12:00:00.000Z", text: "Mind the tests.", used_in: null }] });
    const { request, notes } = workWith({}, false, messages);
    expect(notes).toContain("Mind the tests.");
    expect(request.prompt).toBe(`Work.\n\n## Notes from ralph\n\n${notes}\n`);
  });

  test("tells the agent which iteration this is, and that the conversation goes on", () => {
    expect(workOf({}, false).context).toStartWith(
      "Iteration 3 of an unattended loop on my-project, same conversation.",
    );
  });

  test("does not tell an agent without sessions that the conversation goes on", () => {
    const { context, resume } = workOf({ supportsSessions: false }, false);
    expect({ context, resume }).toEqual({ context: "Iteration 3 of an unattended loop on my-project.", resume: null });
  });

  test.each([true, false])("asks for partial text if someone is watching: %p", (live) => {
    expect(workOf({}, live).partial).toBe(live);
  });
});

test("the request for a review only reads, in a session of its own, and names what changed", () => {
  const review = { iteration: 1, files: ["a.ts"], commits: ["c1"], findings: null };
  expect(composeReview({ ...baseOf(), review, prompt: "Judge." })).toMatchObject({
    readOnly: true,
    partial: false,
    resume: null,
    prompt: expect.stringMatching(/^Judge\.[\s\S]*Changed since the last review: a\.ts/),
    context: "Review, nobody reads along. Since the last one 1 file changed in 1 commit.",
  });
});

describe("the command of a call", () => {
  const prepareLiveCommand: Driver["prepareLiveCommand"] = ({ argv }) => ({ argv: [...argv, "--live"] });
  test.each<[string, Partial<Driver>, boolean, string[]]>([
    ["is changed by the driver for partial text", { prepareLiveCommand }, true, ["demo", "--live"]],
    ["is unchanged without partial text", { prepareLiveCommand }, false, ["demo"]],
    ["is unchanged if the driver prepares no other for partial text", {}, true, ["demo"]],
  ])("%s", (_name, driver, partial, argv) => {
    expect(buildCommand({ driver: { ...plainDriver, ...driver } }, requestOf({ partial })).argv).toEqual(argv);
  });
});
