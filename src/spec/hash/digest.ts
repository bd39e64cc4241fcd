/** Takes text piece by piece and ends in a hash. */
export interface Digest {
  /** Fixed text, which some hashes pass over in one leap. */
  literal(literal: Literal): void;
  text(text: string): void;
  /** The hash of all of it in UTF-8, in hexadecimal digits. */
  hex(): string;
}

/** Fixed ASCII text that is hashed over and over, and what FNV-1a knows of it: `literal` makes one. */
export interface Literal {
  readonly text: string;
  /** prime^n for the n bytes of the text, in limbs. */
  readonly power: Float64Array;
  /** By the lowest byte of the hash before it, as far as they have come up: what is added, in limbs. */
  readonly constants: Float64Array[];
}
