import type { Cell, Column } from '../description.ts';
import { child, type Fields, has, isFields, text } from '../field/read.ts';

/** The columns of a table, each with a function that returns its cell. A column without a name is not declared; rows include its cell. */
export type TableColumns = readonly TableColumn[];

export type TableColumn = Column & { readonly cell: CellReader };

type CellReader = (object: Fields, now: Date) => Cell;

/** Formats the time since a timestamp. Mirrors translateTimestampSince and HumanDuration (apimachinery/pkg/util/duration, 1.36). */
export function formatTimeSince(time: string, now: Date): string {
  if (time === '') return '<unknown>';
  return formatDuration((now.getTime() - Date.parse(time)) / 1000);
}

export const ageOf = (object: Fields, now: Date): string => formatTimeSince(text(child(object, 'metadata'), 'creationTimestamp'), now);

/** Formats a duration. Mirrors HumanDuration. */
export function formatDuration(duration: number): string {
  const seconds = Math.trunc(duration);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return formatTwoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return formatTwoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return formatTwoUnits(days, 'd', hours % 24, 'h');
  if (hours < hoursPerYear * 2) return `${days}d`;
  const years = Math.trunc(hours / hoursPerYear);
  return hours < hoursPerYear * 8 ? formatTwoUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

const hoursPerYear = 24 * 365;

const formatTwoUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;

export const column = (name: string, type: Column['type'] = 'string', priority = 0): Column => ({ name, type, format: '', priority });

/** A column shown only with -o wide. */
export const wideColumn = (name: string): Column => column(name, 'string', 1);

export const nameColumn: Column = { name: 'Name', type: 'string', format: 'name', priority: 0 };
export const ageColumn: Column = column('Age');

export const nameOf = (object: Fields): string => text(child(object, 'metadata'), 'name');

export const named: TableColumn = { ...nameColumn, cell: nameOf };
export const aged: TableColumn = { ...ageColumn, cell: ageOf };

/** A column of strings. */
export const textual = (name: string, cell: CellReader): TableColumn => ({ ...column(name), cell });

/** A column of strings that is shown only with -o wide. */
export const wide = (name: string, cell: CellReader): TableColumn => ({ ...wideColumn(name), cell });

/** A column that shows the string at a path such as "spec.controller". */
export const textAt = (name: string, path: string, absent = ''): TableColumn => textual(name, (object) => readText(object, path, absent));

/** A column that shows the integer at a path. */
export const integerAt = (name: string, path: string): TableColumn => ({
  ...column(name, 'integer'),
  cell: (object) => readInteger(object, path),
});

/** A column that counts the items of the list at a path. */
export const countAt = (name: string, path: string): TableColumn => ({
  ...column(name, 'integer'),
  cell(object) {
    const value = readPath(object, path);
    return Array.isArray(value) ? value.length : 0;
  },
});

/** A column that shows the boolean at a path. */
export const booleanAt = (name: string, path: string, absent = false): TableColumn => ({
  ...column(name, 'boolean'),
  cell: (object) => readBoolean(object, path, absent),
});

/** The value at a path; undefined if absent. */
export function readPath(object: Fields, path: string): unknown {
  const names = path.split('.');
  const last = names.pop() as string;
  const parent = names.reduce(child, object);
  return has(parent, last) ? parent[last] : undefined;
}

/** The object at a path; undefined if absent. */
export function readFields(object: Fields, path: string): Fields | undefined {
  const value = readPath(object, path);
  return isFields(value) ? value : undefined;
}

/** The string or number at a path as text. */
export const readText = (object: Fields, path: string, absent = ''): string => String(readPath(object, path) ?? absent);

export const readInteger = (object: Fields, path: string): number => Number(readPath(object, path) ?? 0);

export const readBoolean = (object: Fields, path: string, absent = false): boolean => (readPath(object, path) ?? absent) === true;

/** Joins the first items and appends the number of omitted items. Mirrors listWithMoreString (pkg/printers/internalversion, 1.36). */
export const joinFirst = (items: readonly string[], limit = 3): string =>
  items.length > limit ? `${items.slice(0, limit).join(',')} + ${items.length - limit} more...` : items.join(',');
