/**
 * Compares two strings as Go does, by their UTF-8 bytes: negative, zero or positive.
 * JavaScript's `<` compares UTF-16 units, which gives another order for characters beyond U+FFFF.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (!astral.test(a) && !astral.test(b)) return a < b ? -1 : 1;
  const left = Array.from(a, codePoint);
  const right = Array.from(b, codePoint);
  const at = left.findIndex((point, i) => point !== right[i]);
  return at < 0 ? -1 : (left[at] as number) - (right[at] ?? -1);
}

const astral = /[\ud800-\udfff]/;
const codePoint = (character: string): number => character.codePointAt(0) as number;
