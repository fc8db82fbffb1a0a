import { decoderKit } from "./decoder-kit.ts";
import { lenientDecoder } from "./lenient-decoder.ts";
import { textDecoder } from "./text-decoder.ts";

/** What reads the output of a call: the kit of its driver's decoder, the one of plain text, and what stands in for both. */
export const callDecoders = { kit: decoderKit, text: textDecoder, lenient: lenientDecoder };
