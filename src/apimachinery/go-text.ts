/** The characters that Go escapes with a letter, the backslash and the double quote, with their escapes. */
export const namedEscapes: Readonly<Record<string, string>> = {
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

/** A text in double quotes, as Go's %q prints it. */
export const quote = (text: string): string => `"${escapeText(text)}"`;

/** The text between the quotes of Go's %q. Lone surrogates are replaced first, as a JSON decoder does. */
export const escapeText = (text: string): string => (plainText.test(text) ? text : text.toWellFormed().replace(charToEscape, escapeChar));

/** A list as Go's %s prints a slice of strings. */
export const printList = (texts: readonly string[]): string => `[${texts.join(' ')}]`;

/** Whether Go's unicode.IsPrint holds for a character. */
export const isPrintable = (char: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);

/** Whether Go's len, which counts bytes, exceeds a limit. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  // A UTF-16 unit has up to three bytes.
  if (text.length * 3 <= limit || !beyondASCII.test(text)) return false;
  let bytes = 0;
  for (const char of text) bytes += bytesOf(char.codePointAt(0) as number);
  return bytes > limit;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches every character outside ASCII
const beyondASCII = /[^\u0000-\u007f]/;

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint > 0xffff ? 4 : 3;
}

const plainText = /^[ !#-[\]-~]*$/;
const charToEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function escapeChar(char: string): string {
  const namedEscape = namedEscapes[char];
  if (namedEscape !== undefined) return namedEscape;
  const code = char.codePointAt(0) as number;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
