import { expect, test } from "bun:test";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";

test.each(["CLAUDE_MODEL", "CLAUDE_EFFORT", "REVIEW_MODEL"])(
  "%s goes to the agent after a flag, so it cannot be a flag itself",
  (name) => {
    const read = (text: string) =>
      resolveSettings({ flags: {}, env: {}, file: { path: ".ralph/.ralphrc", text: `${name}=${text}\n` } });
    const { settings, problems } = read("--auto");
    expect(problems.map(({ message }) => message).join()).toContain('it must be a name that does not begin with "-"');
    expect(settings).toMatchObject({ [name]: null });
    expect(read("opus-5[1m]")).toMatchObject({ settings: { [name]: "opus-5[1m]" }, problems: [] });
  },
);
