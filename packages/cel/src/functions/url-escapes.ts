import { escapeText, quote } from 'kube-endpoints/internal/apimachinery';
import { CelFailure } from '../library.ts';

/** Escaping rules for a part of a URL. */
export interface UrlPart {
  /** Matches invalid text. */
  readonly invalid: RegExp;
  /** Matches the characters and escapes that reescapeUrl may change. The text may contain escapes. */
  readonly changedByPrinting: RegExp;
  /** Matches the characters that escapeUrl changes. The text contains no escapes. */
  readonly changedByEscaping: RegExp;
  /** Matches a valid text that is printed unchanged. */
  readonly unchangedText: RegExp;
  /** Matches a character that is printed unchanged. */
  readonly unchangedCharacter: RegExp;
}

const commonCharacters = 'A-Za-z0-9\\-._~$&+,;=';
const host = `${commonCharacters}!"'()*:<>\\[\\]`;
const hexadecimal = '[0-9a-fA-F]{2}';

/** Mirrors encoding_table.go of net/url (Go 1.26). */
export const urlParts: Readonly<Record<'path' | 'query' | 'fragment' | 'user' | 'host' | 'zone', UrlPart>> = {
  path: createUrlPart(`${commonCharacters}/:@`, `%(?!${hexadecimal})`),
  query: createUrlPart('A-Za-z0-9\\-._~', `%(?!${hexadecimal})`),
  fragment: createUrlPart(`${commonCharacters}!()*/:?@`, `%(?!${hexadecimal})`),
  user: createUrlPart(commonCharacters, `%(?!${hexadecimal})`),
  host: createUrlPart(host, `%(?!25|[89a-fA-F][0-9a-fA-F])|[^\\u0080-\\uffff%${host}]`),
  zone: createUrlPart(
    host,
    `%(?!2[0-2457-9a-eA-E]|26|3[0-9a-eA-E]|[46][1-9a-fA-F]|[57][0-9aA]|5[bBdDfF]|7[eE])|[^\\u0080-\\uffff%${host}]`,
  ),
};

/** @throws CelFailure if the text is invalid in this part */
export function checkEscapes(text: string, { invalid }: UrlPart): void {
  const { 0: match, index } = invalid.exec(text) ?? { 0: undefined, index: 0 };
  if (match === '%') throw new CelFailure(`invalid URL escape ${quoteBytes(text.slice(index, index + 4))}`);
  if (match !== undefined) throw new CelFailure(`invalid character ${quote(match)} in host name`);
}

/**
 * Mirrors unescape. Invalid UTF-8 becomes U+FFFD.
 * @throws CelFailure if the text is invalid in this part
 */
export function unescapeUrl(text: string, part: UrlPart): string {
  checkEscapes(text, part);
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, percentDecode);
}

/** Mirrors URL.EscapedPath for any part. Returns the text unchanged if all its unescaped characters are valid; otherwise reescapes it. */
export const ensureEscapedUrl = (text: string, part: UrlPart): string => (part.unchangedText.test(text) ? text : reescapeUrl(text, part));

/** Mirrors escape applied to the result of unescape. */
export function reescapeUrl(text: string, { changedByPrinting, unchangedCharacter }: UrlPart): string {
  return text.toWellFormed().replace(changedByPrinting, (match) => {
    if (!match.startsWith('%')) return percentEncode(match);
    const char = String.fromCharCode(byteAt(match, 0));
    return unchangedCharacter.test(char) ? char : match.toUpperCase();
  });
}

/** Mirrors the function escape of net/url. */
export const escapeUrl = (text: string, { changedByEscaping }: UrlPart): string =>
  text.toWellFormed().replace(changedByEscaping, percentEncode);

function createUrlPart(unchangedCharacters: string, invalid: string): UrlPart {
  const changedCharacters = `[\\u{80}-\\u{10ffff}]+|[^${unchangedCharacters}]`;
  return {
    invalid: new RegExp(invalid),
    changedByPrinting: new RegExp(`%${hexadecimal}|${changedCharacters}`, 'gu'),
    changedByEscaping: new RegExp(changedCharacters, 'gu'),
    unchangedText: new RegExp(`^[${unchangedCharacters}!'()*:@\\[\\]%]*$`),
    unchangedCharacter: new RegExp(`^[${unchangedCharacters}]$`),
  };
}

/** Escapes a run of characters beyond ASCII, or one ASCII character. */
const percentEncode = (match: string): string => escapes[match.charCodeAt(0)] ?? encodeURIComponent(match);

const toHex = (byte: number): string => byte.toString(16).padStart(2, '0');

const escapes: readonly string[] = /* @__PURE__ */ Array.from({ length: 0x80 }, (_, code) => `%${toHex(code).toUpperCase()}`);

function percentDecode(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return decoder.decode(Uint8Array.from({ length: run.length / 3 }, (_, i) => byteAt(run, i * 3)));
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const byteAt = (text: string, at: number): number => (digitAt(text, at + 1) << 4) | digitAt(text, at + 2);

/** The value of a hexadecimal digit. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return (code & 15) + (code >> 6) * 9;
}

/** Quotes the first three bytes of a text. */
function quoteBytes(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let end = Math.min(bytes.length, 3);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  const truncatedBytes = Array.from(bytes.subarray(end, 3), (byte) => `\\x${toHex(byte)}`);
  return `"${escapeText(decoder.decode(bytes.subarray(0, end)))}${truncatedBytes.join('')}"`;
}
