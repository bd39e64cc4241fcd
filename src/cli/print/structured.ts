import { stringify } from 'yaml';

/** A value as JSON or YAML, as kubectl lays them out; YAML so that readers of YAML 1.1 read the same. */
export const formatStructured = (value: unknown, format: 'json' | 'yaml'): string => escaped(format === 'json' ? json(value) : yaml(value));

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 4)}\n`;
const yaml = (value: unknown): string =>
  stringify(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0, indentSeq: false });

/** Both formats write text with these control characters in double quotes, but the characters as they are. */
const escaped = (text: string): string =>
  text.replace(/[\u007f-\u009f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
