import { RalphError } from "../errors.ts";

/** The branch that work is for is not there, or has no commit: a person may rename or delete it at any time. */
export class MissingTargetError extends RalphError {}
