/** Durations in ms. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How long a process that ralph started may take to end after a request, before ralph kills it. */
export const GRACE_MS = 5 * SECOND_MS;
