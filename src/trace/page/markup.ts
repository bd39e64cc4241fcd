/** What a template takes: text, which is escaped, and markup, which is not. */
export type MarkupValue = string | number | Markup | undefined | readonly MarkupValue[];

/** Markup that is safe to write as it is. Only this module makes it, so that no text of a cluster can pass for it. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A template of HTML or SVG: everything put in is escaped, for text and quoted attributes alike, unless it is markup itself. */
export function markup(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(parts.reduce((text, part, i) => text + written(values[i - 1]) + part));
}

/**
 * `text` for element content and quoted attributes of HTML and XML. Characters that XML does not know, and those that turn the direction of
 * writing for what comes after them, become a replacement character.
 */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(unprintable, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Neither tab, line feed and carriage return, nor anything that is meant to be read. */
const unprintable = /[^\t\n\r\u0020-\u007e\u00a0-\u2029\u202f-\u2065\u206a-\ufffd\u{10000}-\u{10ffff}]/gu;

function written(value: MarkupValue): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.toString();
  return typeof value === 'object' ? value.map(written).join('') : escapeText(String(value));
}
