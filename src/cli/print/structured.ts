import { stringify } from 'yaml';

/** A value as JSON or YAML, as kubectl lays them out; YAML so that readers of YAML 1.1 read the same. */
export const formatStructured = (value: unknown, format: 'json' | 'yaml'): string =>
  format === 'json'
    ? `${JSON.stringify(value, undefined, 4)}\n`
    : stringify(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0, indentSeq: false });
