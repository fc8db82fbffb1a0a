/** Carries out what may fail, and tells a person of the first failure alone. */
export type OnceReporter = {
  /** @param what is named in the sentence. @returns whether it went well */
  attempt(what: string, action: () => void): boolean;
  /** Tells it, once: to be called when nothing is half done. */
  report(): void;
};

/** @param onFailure gets the sentence */
export function createOnceReporter(onFailure: (text: string) => void): OnceReporter {
  let failure: string | null = null;
  let told = false;
  return {
    attempt(what, action) {
      try {
        action();
        return true;
      } catch (error) {
        failure ??= `${what} cannot be written (${(error as Error).message}): other programs may see old figures, the run goes on.`;
        return false;
      }
    },
    report() {
      if (failure === null || told) return;
      told = true;
      onFailure(failure);
    },
  };
}
