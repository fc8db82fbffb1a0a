import copilot from "../../drivers/copilot.ts";
import { judgeCommands, judgeStreams } from "./driver-cases.ts";

judgeCommands(copilot, "build-copilot");
judgeStreams(copilot, "stream-copilot");
