/** What a pattern is made of. Whether a repetition is lazy matters where it is asked what matches, not where it is asked whether. */
export type Node =
  | { readonly kind: 'empty' }
  | { readonly kind: 'char'; readonly accepts: (codePoint: number) => boolean }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'concat'; readonly nodes: readonly Node[] }
  | { readonly kind: 'alternate'; readonly nodes: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly node: Node;
      readonly min: number /** Absent: without end. */;
      readonly max?: number;
      readonly lazy?: boolean;
    };

export type Assertion = 'beginText' | 'endText' | 'beginLine' | 'endLine' | 'wordBoundary' | 'noWordBoundary';

/** Why a text is no pattern, in the words of Go's regexp. */
export class PatternProblem extends Error {
  constructor(code: string, near: string) {
    super(`error parsing regexp: ${code}: \`${near}\``);
  }
}
