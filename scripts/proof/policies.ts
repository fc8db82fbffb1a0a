import { resolveSettings } from "../../src/core/settings/resolve-settings.ts";
import type { Settings } from "../../src/core/settings/settings.ts";

/** What decides that a project is done, as lines of `.ralphrc`. */
export type Policy = { name: string; lines: string };

/** What `ralph setup` writes for a project whose tests it found. */
const EVIDENCE = 'DONE_POLICY=evidence\nTEST_COMMAND="npm test"\n';

/** The policy whose figures are held against the thresholds. */
export const USUAL: Policy = { name: "ours, evidence + gate", lines: EVIDENCE };

/** The policies that ours is measured under. */
export const POLICIES: readonly Policy[] = [
  USUAL,
  { name: "ours, evidence + gate + a look", lines: `${EVIDENCE}REVIEW_ON_DONE=1\n` },
  { name: "ours, signals without a gate", lines: "DONE_POLICY=signals\n" },
];

/** The settings of a project with these lines. */
export function settingsOf({ lines }: Policy): Settings {
  return resolveSettings({ flags: {}, env: {}, file: { path: ".ralph/.ralphrc", text: lines } }).settings;
}
