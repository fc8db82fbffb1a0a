/** What the text of some settings has to look like. */
import { parseTag } from "../publish/next-tag.ts";
import { parsePush } from "../publish/push-target.ts";
import { splitShellWords } from "../text/shell-words.ts";

export type Form = {
  fits(text: string): boolean;
  /** What fits, to follow "must be". */
  readonly allowed: string;
};

/** A word that goes to another program after a flag: one that began with "-" would be a flag itself. */
export const NAME: Form = { fits: (text) => !text.startsWith("-"), allowed: 'a name that does not begin with "-"' };

export const VERSION: Form = {
  fits: (text) => /^\d{1,9}(\.\d{1,9}){0,2}([-+][\w.+-]+)?$/.test(text),
  allowed: "a version such as 2.0.76",
};

/** As docker and podman take it. */
export const MEMORY_SIZE: Form = {
  fits: (text) => /^\d+[bkmg]?$/i.test(text),
  allowed: "a number and b, k, m or g, such as 512m or 4g",
};

export const PROCESSORS: Form = {
  fits: (text) => /^\d+(?:\.\d+)?$/.test(text),
  allowed: "a number of processors, such as 2 or 0.5",
};

export const PUSH_TARGET: Form = {
  fits: (text) => parsePush(text) !== null,
  allowed: "auto, a remote's name, or REMOTE:BRANCH",
};

export const COMMAND: Form = {
  fits: (text) => splitShellWords(text) !== null,
  allowed: "a command with each quote closed, such as '\"/opt/my agent/claude\" --flag'",
};

export const TAG_RULE: Form = {
  fits: (text) => parseTag(text) !== null,
  allowed: "patch, minor or a name with {n} in it, such as nightly-{n}",
};
