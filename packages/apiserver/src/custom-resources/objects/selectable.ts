import type { ApiObject } from 'kube-endpoints/port';
import type { SelectableFields } from '../../store/index.ts';
import { findAll } from '../json-path/find.ts';
import { parsePath } from '../json-path/parse.ts';
import { printPlain } from '../json-path/print.ts';

/** What a field selector may name, beyond name and namespace; a field that is not there is empty. */
export function selectableFields(jsonPaths: readonly string[]): SelectableFields {
  return { fields: Object.fromEntries(jsonPaths.map((jsonPath) => [jsonPath.replace(/^\./, ''), readerOf(jsonPath)])) };
}

function readerOf(jsonPath: string): (object: ApiObject) => string {
  const path = parsePath(jsonPath);
  return (object) => {
    const value = path && findAll(path, object)?.[0];
    return value === undefined || value === null ? '' : printPlain(value);
  };
}
