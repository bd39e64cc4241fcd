import type { ApiObject } from 'kube-endpoints/port';
import { parseTime } from '../../api-types/codec/time.ts';
import type { Cell, Column } from '../../resources/index.ts';
import { formatTimeSince } from '../../resources/table/columns.ts';
import { findAll } from '../json-path/find.ts';
import { type Path, parsePath, printPlain } from '../json-path/parse.ts';
import { printValue } from '../validation/problem.ts';

export interface ColumnDefinition {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
}

interface CustomColumns {
  readonly columns: readonly Column[];
  readonly cells: (object: ApiObject, now: Date) => readonly Cell[];
}

/** Mirrors the table converter of custom resources (apiextensions-apiserver/pkg/registry/customresource/tableconvertor, 1.36). */
export function createCustomColumns(definitions: readonly ColumnDefinition[] = [ageColumn]): CustomColumns {
  const columns: Column[] = [nameColumn];
  const paths: Path[] = [];
  for (const definition of definitions) {
    const path = parsePath(definition.jsonPath ?? '');
    // As upstream, a column with a malformed path is omitted, with all columns after it.
    if (!path) break;
    columns.push(toColumn(definition));
    paths.push(path);
  }
  return {
    columns,
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...paths.map((path, i) => createCell(path, object, (columns[i + 1] as Column).type, now)),
    ],
  };
}

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique within its namespace.',
  priority: 0,
};

const ageColumn: ColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Creation time of the object, set by the server, in UTC and RFC 3339 format.',
  jsonPath: '.metadata.creationTimestamp',
};

const toColumn = ({ name = '', type = 'string', format = '', description, priority = 0, jsonPath = '' }: ColumnDefinition): Column => ({
  name,
  type: type as Column['type'],
  format,
  description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
  priority,
});

function createCell(path: Path, object: ApiObject, type: Column['type'], now: Date): Cell {
  const value = findAll(path, object)?.[0];
  if (value === undefined) return null;
  if (type === 'string') return textOf(value);
  if (typeof value === 'bigint' && (type === 'integer' || type === 'number')) return value;
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
  if (type === 'number') return typeof value === 'number' ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'string' ? formatAge(value, now) : null;
}

function textOf(value: unknown): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? printValue(value) : printPlain(value);
}

function formatAge(time: string, now: Date): string {
  if (time === '' || time === 'null') return '<unknown>';
  const parsedTime = parseTime(time, 'seconds');
  return 'problem' in parsedTime ? '<invalid>' : formatTimeSince(parsedTime.text, now);
}
