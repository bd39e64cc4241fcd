import { join } from 'node:path';
import { readGzippedJsonLines } from '../../../../../test/support/jsonl.ts';
import type { Recording } from './replay.ts';
import type { Answer, Json } from './steps.ts';

/** The answers of kube-apiserver to the scenarios, in order. */
export const recordings: readonly Recording[] = readGzippedJsonLines(join(import.meta.dirname, 'answers.jsonl.gz'));

/**
 * Removes incidental differences from an answer: the order of conditions and causes, which is random in Go, ages, and descriptions of
 * columns.
 */
export function toComparable({ code, answer, warnings = [] }: Answer): unknown {
  if (typeof answer !== 'object' || answer === null) return { code, answer, warnings };
  const fields = answer as Json;
  if (fields['kind'] === 'Status') return { code, answer: withSortedCauses(fields), warnings };
  return { code, answer: fields['kind'] === 'Table' ? withoutAges(fields) : withSortedConditions(fields), warnings };
}

/** Sorts the conditions of a definition: several controllers write them, in any order. */
function withSortedConditions(object: Json): Json {
  const { conditions, ...status } = (object['status'] ?? {}) as { conditions?: readonly { readonly type: string }[] | null };
  if (object['kind'] !== 'CustomResourceDefinition' || !conditions) return object;
  return { ...object, status: { ...status, conditions: [...conditions].sort((a, b) => (a.type < b.type ? -1 : 1)) } };
}

interface Cause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Sorts the causes. Removes the message if there are several, because it lists them in random order. */
function withSortedCauses(status: Json): unknown {
  const details = status['details'] as { causes?: readonly Cause[] } | undefined;
  if (!details?.causes || details.causes.length < 2) return status;
  const { message: _, ...rest } = status;
  const toText = ({ field, reason, message }: Cause): string => `${field} ${reason} ${message}`;
  return { ...rest, details: { ...details, causes: [...details.causes].sort((a, b) => (toText(a) < toText(b) ? -1 : 1)) } };
}

interface Table extends Json {
  readonly columnDefinitions: readonly Json[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/** Removes descriptions of columns and replaces ages, except in the column Broken, whose values are no dates. */
function withoutAges(table: Json): unknown {
  const { columnDefinitions, rows } = table as Table;
  const columnTypes = columnDefinitions.map(({ type, name }) => (type === 'date' && name !== 'Broken' ? 'date' : 'other'));
  return {
    ...table,
    columnDefinitions: columnDefinitions.map(({ description: _, ...column }) => column),
    rows: rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, i) => (columnTypes[i] === 'date' && cell !== null ? 'some time' : cell)),
    })),
  };
}
