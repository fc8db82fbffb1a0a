import opencode from "../../drivers/opencode.ts";
import { judgeCommands, judgeStreams } from "./driver-cases.ts";

judgeCommands(opencode, "build-opencode");
judgeStreams(opencode, "stream-opencode");
