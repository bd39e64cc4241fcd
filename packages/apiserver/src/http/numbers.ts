import type { Numbers } from './json.ts';

/**
 * Why one of these numbers cannot be kept as it is written; undefined where all can.
 *
 * What is a float to Go is the same here. Of the integers of 64 bits that Go keeps in custom resources, those are refused that
 * JavaScript would change.
 *
 * @param into what Go says that it reads into
 */
export function numberProblem(numbers: Numbers | undefined, custom: boolean, into: string = 'Go value'): string | undefined {
  for (const written of numbers?.values() ?? []) {
    if (!Number.isFinite(Number(written))) return `json: cannot unmarshal number ${written} into ${into} of type float64`;
    if (custom && isChanged(written)) return `json: the number ${written} cannot be kept to its last digit`;
  }
  return undefined;
}

function isChanged(written: string): boolean {
  if (!/^-?\d+$/.test(written)) return false;
  const value = BigInt(written);
  return BigInt.asIntN(64, value) === value && BigInt(Number(written)) !== value;
}
