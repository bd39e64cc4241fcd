import { column, named, readText, type TableColumn, type TableColumns } from '../../table/columns.ts';
import { clusterTables } from './cluster.ts';
import { networkingTables } from './networking.ts';
import { storageTables } from './storage.ts';
import { workloadTables } from './workloads.ts';

/** Kinds with the table of the generic registry. */
const defaultTables = [
  'ClusterRole',
  'CSIStorageCapacity',
  'LimitRange',
  'LocalSubjectAccessReview',
  'Role',
  'SelfSubjectAccessReview',
  'SelfSubjectReview',
  'SelfSubjectRulesReview',
  'SubjectAccessReview',
  'TokenReview',
];

const tables: Readonly<Record<string, TableColumns>> = {
  ...clusterTables,
  ...networkingTables,
  ...storageTables,
  ...workloadTables,
};

/** The table of a kind. Mirrors pkg/printers/internalversion/printers.go (1.36). @throws RangeError if the kind has none */
export function tableColumnsOf(kind: string): TableColumns {
  const columns = defaultTables.includes(kind) ? [named, createdAt] : tables[kind];
  if (!columns) throw new RangeError(`no table columns of ${kind}`);
  return columns;
}

const createdAt: TableColumn = {
  ...column('Created At', 'date'),
  cell: (object) => readText(object, 'metadata.creationTimestamp', '0001-01-01T00:00:00Z'),
};
