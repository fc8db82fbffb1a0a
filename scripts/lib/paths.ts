import { dirname, join } from "node:path";

/** The project folder. */
export const root = dirname(dirname(import.meta.dirname));

/** File name of the compiled program on a platform. */
export const programName = (platform: NodeJS.Platform) => (platform === "win32" ? "ralph.exe" : "ralph");

/** The path of the program that `npm run build` makes for this machine. */
export const binary = join(root, "dist", programName(process.platform));
