import { Document, visit } from 'yaml';

/**
 * Formats a value as JSON or YAML in kubectl's layout. YAML 1.1 and YAML 1.2 parsers read the same value from it. Escapes characters that
 * move a terminal's cursor or reorder a line.
 */
export const formatStructured = (value: unknown, format: 'json' | 'yaml'): string =>
  (format === 'json' ? `${JSON.stringify(value, undefined, 4)}\n` : formatYAML(value)).replace(
    new RegExp(unsafeCharacter, 'g'),
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Puts text with unsafe characters in double quotes, where YAML interprets escapes. */
function formatYAML(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && unsafeCharacter.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false });
}

/** Characters that `formatStructured` escapes. JSON.stringify and the YAML library already escape control characters below U+0020. */
const unsafeCharacter = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
