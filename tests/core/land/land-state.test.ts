/** What the journal's fold knows of landing, event by event. */
import { describe, expect, test } from "bun:test";
import { carriedLand, type LandedBranch, landAfter, noLand } from "../../../src/core/land/land-state.ts";
import { recorded } from "../given.ts";

const branch = (name: string): LandedBranch => ({ name, commit: `${name}1`, task: null, text: null });
const branches = [branch("a"), branch("b")];
const landing = { type: "landing", target: "main", from: "0", to: "b1", branches } as const;
const landed = { type: "landed", target: "main", from: "0", to: "b1", branches } as const;
const returned = {
  type: "land_returned",
  branch: "c",
  task: null,
  text: null,
  claim: "returned",
  message: "",
} as const;
const started = { ...noLand(), tested: 2, flakes: 1, landed: 5, returned: 3 };

describe("the state of landing", () => {
  test("a move that is not known to be done is open until it is, or a new stack begins", () => {
    const open = landAfter(started, recorded({ ...landing, branches: [...branches] }));
    expect(open).toEqual({ ...started, open: { target: "main", to: "b1", branches } });
    expect(landAfter(open, recorded({ ...landed, branches: [...branches] })).open).toBeNull();
    const stacked = {
      type: "land_stacked",
      target: "main",
      base: "0",
      tip: "b1",
      branches: ["a"],
      waiting: 0,
    } as const;
    expect(landAfter(open, recorded({ ...stacked, branches: ["a"] }))).toEqual(started);
  });

  test("what landed counts for each branch, and settles none that the target had before", () => {
    expect(landAfter(started, recorded({ ...landed, branches: [...branches] }))).toEqual({
      ...started,
      landed: 7,
      rate: { red: 0, settled: 2 },
    });
    const there = landAfter(started, recorded({ ...landed, from: "b1", branches: [...branches] }));
    expect(there).toEqual({ ...started, landed: 7 });
  });

  test("only red gates count as red among those that came back", () => {
    const red = landAfter(started, recorded({ ...returned, why: "red" }));
    expect(red).toEqual({ ...started, returned: 4, rate: { red: 1, settled: 1 } });
    for (const why of ["conflict", "weaker"] as const)
      expect(landAfter(red, recorded({ ...returned, why }))).toEqual({
        ...red,
        returned: 5,
        rate: { red: 1, settled: 2 },
      });
  });

  test("each tree counts once, and as a flake if any gate was one", () => {
    const tested = { type: "land_tested", target: "main", commit: "b1", branches: ["a"], green: true, ms: 1 } as const;
    const steady = landAfter(started, recorded({ ...tested, branches: ["a"], flaky: [] }));
    expect(steady).toEqual({ ...started, tested: 3 });
    expect(landAfter(steady, recorded({ ...tested, branches: ["a"], flaky: ["npm test", "make"] }))).toEqual({
      ...started,
      tested: 4,
      flakes: 2,
    });
  });

  test("the next run takes over the open move and what is known of red branches, and counts anew", () => {
    const open = { target: "main", to: "b1", branches };
    const rate = { red: 1, settled: 4 };
    expect(carriedLand({ ...started, open, rate })).toEqual({ ...noLand(), open, rate });
  });
});
