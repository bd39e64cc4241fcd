/** A Markdown table. Cells are Markdown; the renderer aligns them. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Escapes text for Markdown. */
export const escapeMarkdown = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');

export const formatCode = (text: string): string => `\`${text}\``;

/** A change in kubernetes/kubernetes, as a link. */
export const changeLink = (reference: string): string =>
  `[${reference}](https://github.com/kubernetes/kubernetes/pull/${reference.replace('#', '')})`;

/** Joins sections with a blank line between them. */
export const joinSections = (sections: readonly string[]): string => `${sections.join('\n\n')}\n`;
