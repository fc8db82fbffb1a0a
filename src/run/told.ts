import type { EnvVars } from "../core/env-vars.ts";
import type { State } from "../core/journal/state.ts";
import { withSecrets } from "../core/secrets/env-secrets.ts";
import type { Masks } from "../core/secrets/mask.ts";

/** What a person said or answered, whole: the journal keeps it without the secrets in it, but the agent is told them. */
export type Told = {
  hear(text: string): void;
  /** A state with what was said as it was said. */
  inFull(state: State): State;
};

export function createTold(masks: Masks, env: EnvVars): Told {
  /** By what is recorded of it. */
  const told = new Map<string, string>();
  const restored = (text: string): string =>
    withSecrets(
      [...told].reduce((words, [recorded, whole]) => words.replaceAll(recorded, () => whole), text),
      env,
    );
  return {
    hear: (text) => void told.set(masks.text(text), text),
    inFull: (state) =>
      state.said.length === 0
        ? state
        : { ...state, said: state.said.map((message) => ({ ...message, text: restored(message.text) })) },
  };
}
