import cursor from "../../drivers/cursor.ts";
import { judgeCommands, judgeStreams } from "./driver-cases.ts";

judgeCommands(cursor, "build-cursor");
judgeStreams(cursor, "stream-cursor", ["kitstream/cursor"]);
