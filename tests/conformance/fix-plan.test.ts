import { parsePlan, planReport } from "../../src/core/plan/fix-plan.ts";
import { settingsOf } from "../core/given.ts";
import { judge } from "./cases.ts";

type Setup = { inputs: { name: string; text?: string; base64?: string }[]; env: Record<string, string> };

judge<Setup>("fix_plan", ({ inputs: [input], env }) => {
  const bytes = Buffer.from(input?.base64 ?? "", "base64").toString("utf8");
  const sections = env.OPTIONAL_SECTIONS?.split(",") ?? settingsOf().OPTIONAL_SECTIONS;
  return planReport(input?.name ?? "", parsePlan(input?.text ?? bytes, sections));
});
