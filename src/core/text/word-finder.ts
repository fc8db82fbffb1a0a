/** Finds any of many words in one pass, however many they are and whatever stands between them (Aho and Corasick 1975). */
export type WordFinder = {
  /** The place of the last byte of the first word that ends at `from` or later, and lies behind it; -1 if there is none. */
  find(bytes: Uint8Array, from: number): number;
};

const FOUND = 0xffffffff;

/** @param words not empty; characters of one byte each (Latin-1) */
export function createWordFinder(words: readonly string[]): WordFinder {
  const { classes, width } = classesOf(words);
  const next = transitions(words, classes, width);
  return {
    find(bytes, from) {
      let state = 0;
      for (let at = from; at < bytes.length; at += 1) {
        state = next[state + (classes[bytes[at] ?? 0] ?? 0)] ?? 0;
        if (state === FOUND) return at;
      }
      return -1;
    },
  };
}

/** The bytes of the words are numbered; all others are 0. */
function classesOf(words: readonly string[]): { classes: Uint8Array; width: number } {
  const classes = new Uint8Array(256);
  let width = 1;
  for (const code of words
    .join("")
    .split("")
    .map((char) => char.charCodeAt(0) & 255))
    if (classes[code] === 0) classes[code] = width++;
  return { classes, width };
}

/** Where each state leads with each class: states are multiples of `width`, so that a step is one addition and one look. */
function transitions(words: readonly string[], classes: Uint8Array, width: number): Uint32Array {
  const { children, ends } = prefixTree(words, classes);
  const next = new Uint32Array(children.length * width);
  const fallbacks = new Uint32Array(children.length);
  const order = [0];
  for (const state of order) {
    const fallback = fallbacks[state] ?? 0;
    ends[state] ||= ends[fallback] === true;
    for (let letter = 1; letter < width; letter += 1) {
      const child = children[state]?.get(letter);
      const other = state === 0 ? 0 : (next[fallback * width + letter] ?? 0);
      next[state * width + letter] = child ?? other;
      if (child === undefined) continue;
      fallbacks[child] = other;
      order.push(child);
    }
  }
  return next.map((state) => (ends[state] === true ? FOUND : state * width));
}

/** The words as a tree of their letters, and the states that end one. */
function prefixTree(
  words: readonly string[],
  classes: Uint8Array,
): { children: Map<number, number>[]; ends: boolean[] } {
  const children: Map<number, number>[] = [new Map()];
  const ends = [false];
  for (const word of words) {
    let state = 0;
    for (let at = 0; at < word.length; at += 1) {
      const letter = classes[word.charCodeAt(at) & 255] ?? 0;
      const known = children[state]?.get(letter);
      const child = known ?? children.length;
      if (known === undefined) {
        children[state]?.set(letter, child);
        children.push(new Map());
        ends.push(false);
      }
      state = child;
    }
    ends[state] = true;
  }
  return { children, ends };
}
