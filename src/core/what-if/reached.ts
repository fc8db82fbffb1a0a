import type { SettingName } from "../settings/settings.ts";
import type { Here } from "./recorded.ts";
import { SETTING_REACH, type SettingReach } from "./setting-reach.ts";
import { diverge } from "./settle.ts";
import type { Comparison, Shadow } from "./shadow.ts";

/** What a change of settings would have done where it acts, after the names of the settings. */
const REACH_WORDS = {
  agent: "would have reached the agent with its first call.",
  checks: "would have changed what the run measures, from its start.",
  gates: "would have changed how the gates run.",
  look: "would have changed the look at the finished work.",
  question: "would have changed what becomes of this question.",
} as const;

/** The end of what is known where a change of settings acts at all. */
export function reached(here: Here, reach: SettingReach, rule: keyof typeof REACH_WORDS): Comparison {
  return (shadow) => {
    const names = changedIn(shadow, reach);
    if (names.length === 0) return shadow;
    return diverge(shadow, here, { rule, sentence: `${names.join(" and ")} ${REACH_WORDS[rule]}` });
  };
}

/** Whether a setting changed that acts there. */
export function reaches(shadow: Shadow, reach: SettingReach): boolean {
  return changedIn(shadow, reach).length > 0;
}

function changedIn({ changed }: Shadow, reach: SettingReach): SettingName[] {
  return changed.flatMap(({ setting }) => (SETTING_REACH[setting] === reach ? [setting] : []));
}
