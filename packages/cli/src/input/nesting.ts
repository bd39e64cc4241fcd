/** The limit for objects: deeper than any object of a known kind, and far below the depth at which recursion overflows the stack. */
export const maxNesting = 100;

/** The limit for whole documents of any kind, because schemas in CustomResourceDefinitions nest deeply. */
export const maxTextNesting = 400;

/** True if maps and lists nest deeper than `limit`. That includes a value that contains itself. */
export function isNestedDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) return value.some((item) => isNestedDeeper(item, limit - 1));
  for (const key in value) if (isNestedDeeper((value as Record<string, unknown>)[key], limit - 1)) return true;
  return false;
}

/** Returns the offset at which brackets and braces outside of strings nest deeper than `limit`; undefined if nothing nests deeper. */
export function findTooDeepOffset(text: string, limit: number): number | undefined {
  let depth = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset);
    if (unit === quote) offset = endOfString(text, offset);
    else if (unit === openBrace || unit === openBracket) depth++;
    else if (unit === closeBrace || unit === closeBracket) depth--;
    if (depth > limit) return offset;
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function endOfString(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length && text.charCodeAt(offset) !== quote) offset += text.charCodeAt(offset) === backslash ? 2 : 1;
  return offset;
}
