import codex from "../../drivers/codex.ts";
import { judgeCommands, judgeStreams } from "./driver-cases.ts";

judgeCommands(codex, "build-codex");
judgeStreams(codex, "stream-codex", ["kitstream/codex"]);
