import { judgeVerdicts } from "./verdicts.ts";

judgeVerdicts("cursor", {});
