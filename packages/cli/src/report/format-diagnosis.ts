import type { Diagnosis } from 'kube-endpoints/explain';
import type { Style } from '../print/style.ts';
import { escapeUnprintable, wrap } from '../print/text.ts';

/** Formats the root cause with its evidence and its fix, then the other causes in a line each. */
export function formatCauses([root, ...others]: readonly Diagnosis[], style: Style): string[] {
  if (!root) return [];
  return [
    ...formatField('Cause', `${root.code}: ${root.message}`, style, root.severity === 'error' ? 'red' : 'yellow'),
    ...root.evidence.flatMap(({ object, path, value }) => formatField('Evidence', `${object}, ${path}: ${value}`, style)),
    ...formatField('Fix', root.fix.text, style, 'cyan'),
    // A command is not wrapped, so that it can be copied.
    ...(root.fix.command === undefined ? [] : [`${indent}${' '.repeat(labelWidth)}${escapeUnprintable(root.fix.command)}`]),
    ...others.flatMap(({ code, message }) => formatField('Also', `${code}: ${message}`, style)),
  ];
}

const indent = '  ';
const labelWidth = 'Evidence: '.length;

/** A labelled text, wrapped on a terminal. Without a label, the text continues the one above. */
export function formatField(label: string, text: string, style: Style, colour?: 'red' | 'yellow' | 'cyan'): string[] {
  const width = style.width === undefined ? undefined : style.width - indent.length - labelWidth;
  return wrap(escapeUnprintable(text.replace(/\.$/, '')), width).map(
    (line, index) =>
      `${indent}${style.paint((index === 0 ? label && `${label}:` : '').padEnd(labelWidth), index === 0 ? (colour ?? 'bold') : undefined)}${line}`,
  );
}
