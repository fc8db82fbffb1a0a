import claudeCode from "../../drivers/claude-code.ts";
import { judgeCommands, judgeStreams } from "./driver-cases.ts";

judgeCommands(claudeCode, "build-claude-code");
judgeStreams(claudeCode, "stream-claude-code", ["kitstream/claude"]);
