import type { ApiObject } from 'kube-endpoints/port';
import { everyVerb, type ServedResource } from './registry/catalog.ts';
import type { SchemalessResource } from './registry/index.ts';
import type { Cell, Column } from './resources/index.ts';
import { ageColumn, ageOf, nameColumn } from './resources/table/columns.ts';

/** A resource that is not built in. Its objects are stored with all their fields. */
export interface ExtraResource extends SchemalessResource {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Table columns between name and age, each with a function that returns the cell of an object. */
  readonly columns?: readonly (Column & { readonly cell: (object: ApiObject) => Cell })[];
}

/** Creates the catalog entry of an extra resource, for discovery and tables. */
export function createExtraResourceEntry({
  resource,
  status = false,
  shortNames = [],
  categories = [],
  columns = [],
}: ExtraResource): ServedResource {
  return {
    resource,
    singular: resource.kind.toLowerCase(),
    listKind: `${resource.kind}List`,
    shortNames,
    categories,
    verbs: everyVerb,
    subresources: status ? [{ name: 'status', verbs: ['get', 'patch', 'update'] }] : [],
    columns: [nameColumn, ...columns.map(({ cell: _, ...column }) => column), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', ...columns.map(({ cell }) => cell(object)), ageOf(object, now)],
    schema: { structural: undefined },
  };
}
