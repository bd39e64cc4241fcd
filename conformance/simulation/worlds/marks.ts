/** A value in a text of which only the order among the values of its kind counts: numbers, or texts that are sorted as texts. */
export const toMark = (kind: string, value: number | string): string =>
  `${open}${kind}${separator}${typeof value === 'number' ? String(value).padStart(10, '0') : value}${close}`;

// Characters that occur in no text.
const [open, separator, close] = ['\uE000', '\uE001', '\uE002'];

const pattern = /\uE000([^\uE001]*)\uE001([^\uE002]*)\uE002/g;

/** Replaces each mark by its rank among those of its kind. */
export function renameMarks(text: string): string {
  const values = new Map<string, Set<string>>();
  for (const [, kind = '', value = ''] of text.matchAll(pattern)) values.set(kind, (values.get(kind) ?? new Set()).add(value));
  const ranks = new Map([...values].map(([kind, all]) => [kind, new Map([...all].sort().map((value, rank) => [value, rank]))]));
  return text.replace(pattern, (_, kind: string, value: string) => `#${ranks.get(kind)?.get(value)}`);
}
