import { expect, test } from "bun:test";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { type MorningWork, morningPage } from "../../../src/view/ui/morning-page.ts";

const work = (end: MorningWork["end"]): MorningWork => ({
  ...{ run: "0001-20260304-120000", mark: 1, tasks: ["greet"], ticked: false, first_iteration: 1, last_iteration: 1 },
  ...{
    target: null,
    at: "2026-03-04T12:00:00Z",
    wall_ms: 5,
    usage: noUsage(),
    tokens: 0,
    lines_added: 0,
    lines_removed: 0,
  },
  ...{ gates: [], review: null, looks: [], stays: null, taken_back: false, accepted: false, end },
});

test("a run without a plan that failed is shown, but does not count as landed", () => {
  const landed = [
    work({ reason: "plan_complete", exit_code: 0, proof: null }),
    work({ reason: "authentication", exit_code: 5, proof: null }),
  ];
  const project = { id: "1", project: "/p/shop", report: null, fault: null, landed, spent: [] };
  const html = morningPage({ since: "2026-03-04T00:00:00Z", is_first: false, projects: [project] }, true);
  expect([...html.matchAll(/(\d+) landed/g)].map(([, count]) => count)).toEqual(["1", "1"]);
  expect(html.match(/class="card work"/g)).toHaveLength(2);
});
