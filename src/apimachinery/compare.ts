/** Compares two strings as Go does, by their UTF-8 bytes: negative, zero or positive. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  // `<` compares UTF-16 units, so it sorts surrogates (characters beyond U+FFFF) too early.
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1;
  const left = Array.from(a, codePoint);
  const right = Array.from(b, codePoint);
  const firstDifference = left.findIndex((point, i) => point !== right[i]);
  return firstDifference < 0 ? -1 : (left[firstDifference] as number) - (right[firstDifference] ?? -1);
}

const surrogate = /[\ud800-\udfff]/;
const codePoint = (character: string): number => character.codePointAt(0) as number;
