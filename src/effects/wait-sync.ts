/** Holds up the whole program: for moments only, where nothing else may happen meanwhile. */
export function waitSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
