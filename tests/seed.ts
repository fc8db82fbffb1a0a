/** The seed of all property tests: a failure is found again by running the test again. */
export const seed = 20261121;
