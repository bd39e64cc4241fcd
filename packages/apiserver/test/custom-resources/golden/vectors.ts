import { join } from 'node:path';
import { gzippedJsonLines } from '../../../../../test/support/jsonl.ts';
import type { Recorded } from './replay.ts';
import type { Answer, Json } from './steps.ts';

/** The answers of kube-apiserver to the scenarios, in order. */
export const recordings: readonly Recorded[] = gzippedJsonLines(join(import.meta.dirname, 'answers.jsonl.gz'));

/** An answer to compare: Go iterates over maps in random order, ages depend on the day, and column descriptions differ. */
export function comparable({ code, answer, warnings = [] }: Answer): unknown {
  if (typeof answer !== 'object' || answer === null) return { code, answer, warnings };
  const own = answer as Json;
  if (own['kind'] === 'Status') return { code, answer: comparableStatus(own), warnings };
  return { code, answer: own['kind'] === 'Table' ? comparableTable(own) : withSortedConditions(own), warnings };
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

/** Sorts the causes; the message lists them in random order and is compared only for a single cause. */
function comparableStatus(status: Json): unknown {
  const details = status['details'] as { causes?: readonly Cause[] } | undefined;
  if (!details?.causes || details.causes.length < 2) return status;
  const { message: _, ...rest } = status;
  const text = ({ field, reason, message }: Cause): string => `${field} ${reason} ${message}`;
  return { ...rest, details: { ...details, causes: [...details.causes].sort((a, b) => (text(a) < text(b) ? -1 : 1)) } };
}

interface Table extends Json {
  readonly columnDefinitions: readonly Json[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

function comparableTable(table: Json): unknown {
  const { columnDefinitions, rows } = table as Table;
  const types = columnDefinitions.map(({ type, name }) => (type === 'date' && name !== 'Broken' ? 'date' : 'other'));
  return {
    ...table,
    columnDefinitions: columnDefinitions.map(({ description: _, ...column }) => column),
    rows: rows.map((row) => ({ ...row, cells: row.cells.map((cell, i) => (types[i] === 'date' && cell !== null ? 'some time' : cell)) })),
  };
}
