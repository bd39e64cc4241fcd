const named: Readonly<Record<string, string>> = {
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

/** A text in quotes, the way Go's %q prints it in messages. */
export const quote = (text: string): string => `"${escapeText(text)}"`;

/** What Go puts between the quotes. */
export const escapeText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
  text.replace(/["\\\u0000-\u001f]/g, (char) => named[char] ?? hex(char, 'x', 2)).replace(/[\u007f-\u00a0\u00ad]/g, escapeLatin);

const escapeLatin = (char: string): string => (char === '\u007f' ? '\\x7f' : hex(char, 'u', 4));
const hex = (char: string, letter: string, digits: number): string => `\\${letter}${char.charCodeAt(0).toString(16).padStart(digits, '0')}`;
