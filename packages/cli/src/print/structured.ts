import { Document, visit } from 'yaml';

/**
 * A value as JSON or YAML, as kubectl lays them out. Readers of YAML 1.1 read the same, and characters that move a terminal's
 * cursor or reorder a line are written as escapes.
 */
export const formatStructured = (value: unknown, format: 'json' | 'yaml'): string =>
  (format === 'json' ? `${JSON.stringify(value, undefined, 4)}\n` : formatYAML(value)).replace(
    new RegExp(unfit, 'g'),
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Text with such characters is put in double quotes, where escapes are understood. */
function formatYAML(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && unfit.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false });
}

/** Beyond those below a space, which both formats escape by themselves. */
const unfit = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
