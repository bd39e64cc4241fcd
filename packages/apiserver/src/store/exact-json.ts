/** JSON in which integers that a number cannot represent are BigInts, as 64-bit integers of custom resources may be. */

/** Like JSON.stringify, also for BigInts. */
export function stringifyExactly(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Almost no value contains a BigInt, so that only a failure causes the cost of this function.
    return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? rawJson(String(each)) : each), indent);
  }
}

/** Like JSON.parse, but reads 64-bit integers that a number cannot represent as BigInts. @throws SyntaxError */
export function parseExactly(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const revive = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined ? readNumber(context.source) : value;
  return JSON.parse(text, revive);
}

/** Reads a number of JSON: as a BigInt if it is a 64-bit integer that a number cannot represent. */
export function readNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(text)) return value;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? integer : value;
}

/** TypeScript does not know this function of Node.js 22 yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
