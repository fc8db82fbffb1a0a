import { StringDecoder } from "node:string_decoder";

/** Input of a terminal, put together from the pieces that it arrives in. */
export type TypedInput = {
  take(chunk: Buffer): void;
  /** Hands over what is pending, however incomplete. */
  flush(): void;
};

/**
 * Joins characters, escape sequences and pastes that arrive in pieces.
 * @param pendingMs how many ms to wait for the rest of incomplete input; 0 if it is complete
 */
export function joinTyped(onInput: (text: string) => void, pendingMs: (text: string) => number): TypedInput {
  let pending = "";
  let timer: ReturnType<typeof setTimeout> | null = null;
  /** Pasted text arrives in chunks that may split a character. */
  const decoder = new StringDecoder("utf8");
  const stopWaiting = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const flush = () => {
    stopWaiting();
    const text = pending;
    pending = "";
    if (text !== "") onInput(text);
  };
  return {
    take(chunk) {
      pending += decoder.write(chunk);
      stopWaiting();
      const ms = pendingMs(pending);
      if (ms > 0) timer = setTimeout(flush, ms);
      else flush();
    },
    flush,
  };
}
