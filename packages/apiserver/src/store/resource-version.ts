import { quote } from 'kube-endpoints/internal';

/** What a text says about a resourceVersion: a number, or why it is none. */
export type ParsedVersion = { readonly value: number; readonly problem?: undefined } | { readonly problem: string };

const largest = 2n ** 64n - 1n;

/**
 * Reads a resourceVersion as the real server does; absent and "0" mean any.
 *
 * Mirrors APIObjectVersioner.ParseResourceVersion (1.36, apiserver/pkg/storage/api_object_versioner.go), the words of the
 * parser included.
 */
export function parseResourceVersion(text: string | undefined): ParsedVersion {
  if (text === undefined || text === '' || text === '0') return { value: 0 };
  if (!/^[0-9]+$/.test(text)) return invalid(text, 'invalid syntax');
  if (text.length > 15 && BigInt(text) > largest) return invalid(text, 'value out of range');
  return { value: Number(text) };
}

/** A resourceVersion in the form in which messages show it. */
export const canonicalVersion = (text: string): string => BigInt(text).toString();

const invalid = (text: string, why: string): ParsedVersion => ({
  problem: `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: ${why}`,
});
