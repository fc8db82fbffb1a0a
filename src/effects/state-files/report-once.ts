import { reasonOf } from "../../core/system-error.ts";

/** Runs actions that may fail, and reports only the first failure. */
export type OnceReporter = {
  /** @param what the subject of the message. @returns whether it succeeded */
  attempt(what: string, action: () => void): boolean;
  /** Reports the failure, once; call it when nothing is half done. */
  report(): void;
};

/** @param onFailure receives the message */
export function createOnceReporter(onFailure: (text: string) => void): OnceReporter {
  let failure: string | null = null;
  let isReported = false;
  return {
    attempt(what, action) {
      try {
        action();
        return true;
      } catch (error) {
        failure ??= `${what} cannot be written (${reasonOf(error)}): other programs may see old figures, the run goes on.`;
        return false;
      }
    },
    report() {
      if (failure === null || isReported) return;
      isReported = true;
      onFailure(failure);
    },
  };
}
