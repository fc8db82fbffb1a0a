import { describe, expect, test } from "bun:test";
import { type Clocks, CODE_MS, createPairing } from "../../../src/effects/ui/pairing.ts";

/** Clocks that stand until time passes, or somebody sets the machine's own one. */
function standing(): Clocks & { pass(ms: number): void; set(ms: number): void } {
  let [at, wall] = [1_000_000, 1_750_000_000_000];
  return {
    now: () => wall,
    steady: () => at,
    pass(ms) {
      at += ms;
      wall += ms;
    },
    set(ms) {
      wall += ms;
    },
  };
}

describe("a code that pairs a device", () => {
  test("lets one device in, and none a second time", () => {
    const pairing = createPairing(standing());
    const { code, control } = pairing.open(true);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(control).toBe(true);
    expect(pairing.attempt(code)).toEqual({ kind: "right", control: true });
    expect(pairing.attempt(code)).toEqual({ kind: "none" });
  });

  test("may be typed in small letters, with a hyphen, and with O and I for 0 and 1", () => {
    const pairing = createPairing(standing());
    const { code } = pairing.open(false);
    const typed = `${code.slice(0, 4)}-${code.slice(4)} `.toLowerCase().replaceAll("0", "o").replaceAll("1", "i");
    expect(pairing.attempt(typed)).toEqual({ kind: "right", control: false });
  });

  test("is worth nothing after its time, nor once there is another one, nor before there is one", () => {
    const clock = standing();
    const pairing = createPairing(clock);
    expect(pairing.attempt("")).toEqual({ kind: "none" });
    const first = pairing.open(true).code;
    clock.pass(CODE_MS - 1);
    const second = pairing.open(true).code;
    expect(pairing.attempt(first).kind).toBe("wrong");
    clock.pass(CODE_MS);
    expect(pairing.attempt(second)).toEqual({ kind: "none" });
  });

  test("is closed by five wrong ones, and nobody's is looked at for longer and longer", () => {
    const clock = standing();
    const pairing = createPairing(clock);
    const { code } = pairing.open(true);
    const pauses = [1000, 2000, 4000, 8000, 16_000];
    for (const [index, pauseMs] of pauses.entries()) {
      expect(pairing.attempt("WRONG")).toEqual({ kind: "wrong", left: 4 - index, pauseMs });
      expect(pairing.attempt(code)).toEqual({ kind: "early", pauseMs });
      clock.pass(pauseMs - 1);
      expect(pairing.attempt("WRONG")).toEqual({ kind: "early", pauseMs: 1 });
      clock.pass(1);
    }
    expect(pairing.attempt(code)).toEqual({ kind: "none" });
  });

  test("brings no faster tries when it is made anew, and a right one does", () => {
    const clock = standing();
    const pairing = createPairing(clock);
    let tries = 0;
    const begin = clock.now();
    for (; clock.now() - begin < 3_600_000; clock.pass(1000)) {
      const { kind } = pairing.attempt("WRONG");
      if (kind === "wrong") tries += 1;
      if (kind === "none") pairing.open(true);
    }
    // An hour of trying: a pause of a minute after each, but for the first six.
    expect(tries).toBeLessThan(70);
    clock.pass(60_000);
    expect(pairing.attempt(pairing.open(true).code).kind).toBe("right");
    pairing.open(true);
    expect(pairing.attempt("WRONG")).toMatchObject({ pauseMs: 1000 });
  });

  test("is worth nothing after its time, however the machine's clock was set, and after a sleep", () => {
    const clock = standing();
    const pairing = createPairing(clock);
    const { code } = pairing.open(true);
    clock.set(-3_600_000);
    clock.pass(CODE_MS - 1);
    clock.pass(1);
    expect(pairing.attempt(code)).toEqual({ kind: "none" });
    const slept = pairing.open(true).code;
    // What counts running time stands while the machine sleeps.
    clock.set(CODE_MS);
    expect(pairing.attempt(slept)).toEqual({ kind: "none" });
  });

  test("is looked at after its pause, however the machine's clock was set meanwhile, and not before", () => {
    const clock = standing();
    const pairing = createPairing(clock);
    const { code } = pairing.open(true);
    expect(pairing.attempt("WRONG").kind).toBe("wrong");
    clock.set(2000);
    expect(pairing.attempt("WRONG")).toEqual({ kind: "early", pauseMs: 1000 });
    clock.set(-3_602_000);
    clock.pass(1000);
    expect(pairing.attempt(code).kind).toBe("right");
  });
});
