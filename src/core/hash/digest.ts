import type { Leap } from './fnv128a.ts';

/** Takes text piece by piece and ends in a hash. */
export interface Digest {
  /** Fixed text, which some hashes pass over in one leap. */
  literal(literal: Literal): void;
  text(text: string): void;
  /** The hash of all of it in UTF-8, in hexadecimal digits. */
  hex(): string;
}

/** Fixed ASCII text that is hashed over and over. */
export interface Literal {
  readonly text: string;
  readonly leap: Leap;
}
