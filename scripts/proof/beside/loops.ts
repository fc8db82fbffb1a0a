import { OURS } from "./ours.ts";
import { PEERS } from "./peers.ts";
import type { CliName } from "./speech/speech.ts";
import type { Reviews } from "./state.ts";

/** What a loop is given for one run. */
export type Given = { root: string; bin: string; ralph: string; peers: string; most: number };

/** One loop, as its users start it. */
export type Loop = {
  name: string;
  /** Where it comes from: a repository and its commit, or an npm package; null for what is not a peer. */
  from: { source: string; version: string; get: string } | null;
  /** The file in the folder of peers by which its presence is known. */
  entry: string | null;
  /** The agent that it calls. */
  cli: CliName;
  /** See `State`. */
  marker: string | null;
  markerMeans?: "all" | "task";
  planFile: string | null;
  planAs?: "sections";
  reviews?: Reviews;
  files: Readonly<Record<string, string>>;
  argv: (given: Given) => readonly string[];
  /** Its figures are those of another loop: a few runs show that. */
  isVariant?: boolean;
  /** What is started plays the one who sits before its screen: how that ends when it is killed says nothing of the loop. */
  isDriven?: boolean;
  env?: Readonly<Record<string, string>>;
  /** Whether its end says that the project is done. */
  saidDone: (exitCode: number, output: string) => boolean;
};

/** The loops that are held beside each other. Peers are used as they are, from the folder that `--peers` names. */
export const LOOPS: readonly Loop[] = [...OURS, ...PEERS];
