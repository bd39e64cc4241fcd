/** A value in a template: text is escaped, markup is not. */
export type MarkupValue = string | number | Markup | undefined | readonly MarkupValue[];

/** Markup that needs no escaping. Only this module creates it, so that no text from a cluster can be mistaken for it. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A template of HTML or SVG. Every value is escaped for both text and quoted attributes, unless it is markup. */
export function markup(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(parts.reduce((text, part, i) => text + toMarkupText(values[i - 1]) + part));
}

/** The content of a `script` element that contains JSON. No text in it can end the element. Texts are shown as `escapeText` shows them. */
export function embedJSON(value: unknown): Markup {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? replaceUnprintable(each) : each));
  return new Markup(text.replaceAll('<', '\\u003c'));
}

/**
 * Escapes `text` for element content and quoted attributes of HTML and XML. Characters that XML does not allow, and those that change the
 * writing direction, become a replacement character.
 */
export function escapeText(text: string): string {
  return replaceUnprintable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const replaceUnprintable = (text: string): string => text.toWellFormed().replace(unprintable, '\ufffd');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control characters except tab, line feed and carriage return; characters that change the writing direction; U+FFFE and U+FFFF. */
const unprintable = /[^\t\n\r\u0020-\u007e\u00a0-\u2029\u202f-\u2065\u206a-\ufffd\u{10000}-\u{10ffff}]/gu;

function toMarkupText(value: MarkupValue): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.toString();
  return typeof value === 'object' ? value.map(toMarkupText).join('') : escapeText(String(value));
}
