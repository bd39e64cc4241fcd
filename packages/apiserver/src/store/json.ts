/**
 * Exact JSON: integers outside of JavaScript's safe range that fit into 64 bits are BigInts, as all code of this package expects. Other numbers
 * are numbers.
 */

/** Parses JSON like JSON.parse, but keeps integers of 64 bits. @throws SyntaxError */
export const parseJson = (text: string, revive?: (value: unknown) => unknown): unknown =>
  longInteger.test(text)
    ? JSON.parse(text, ((_: string, value: unknown, { source }: { readonly source?: string }) => {
        const exact = typeof value === 'number' ? parseNumber(source ?? '') : value;
        return revive ? revive(exact) : exact;
      }) as Parameters<typeof JSON.parse>[1])
    : revive
      ? JSON.parse(text, (_, value: unknown) => revive(value))
      : JSON.parse(text);

/** Texts without such a run of digits have no integer outside of the safe range. */
const longInteger = /\d{16}/;

/** Parses the text of a JSON number. */
export function parseNumber(text: string): number | bigint {
  const number = Number(text);
  if (Number.isSafeInteger(number) || !/^-?\d+$/.test(text)) return number;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? integer : number;
}

/** Writes a value like JSON.stringify, and BigInts as integers. Values without BigInts, which are nearly all, take no longer. */
export function writeJson(value: unknown, space?: number): string {
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, writeInteger, space);
  }
}

const writeInteger = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? toRawJson(String(value)) : value);

/** JSON.rawJSON, which Node.js has from version 21 on and TypeScript does not know. */
const toRawJson = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
