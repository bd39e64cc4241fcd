const shortEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** Whether Go's unicode.IsPrint holds for a character. */
export const isPrintable = (char: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);

/** A text as Go's %q prints it, whatever is in it. */
export const quoteText = (text: string): string => `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeChar)}"`;

function escapeChar(char: string): string {
  const known = shortEscapes[char];
  if (known !== undefined) return known;
  const code = char.codePointAt(0) as number;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
