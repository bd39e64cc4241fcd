/** A hash of text that is added piece by piece. */
export interface Digest {
  /** Adds fixed text, which some hashes process in a single step. */
  addLiteral(literal: Literal): void;
  addText(text: string): void;
  /** The hash of all added text in UTF-8, in hexadecimal digits. */
  hex(): string;
}

/** Fixed ASCII text that is hashed repeatedly, with precomputed values for FNV-1a. Created by `createLiteral`. */
export interface Literal {
  readonly text: string;
  /** prime^n for the n bytes of the text, in limbs. */
  readonly power: Float64Array;
  /** The summand, in limbs, by the lowest byte of the preceding hash. Filled on demand. */
  readonly constants: Float64Array[];
}
