import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { kindType, type StructType } from '../../api-types/index.ts';
import {
  type Cell,
  type Column,
  type Description,
  type FieldReaders,
  metadataFields,
  type Strategy,
  type UpdateStrategy,
} from '../description.ts';
import type { Causes } from '../field/causes.ts';
import { child, copyOf, type Draft, ensureChild, type Fields, number, sameValue, text } from '../field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { ageColumn, ageOf, nameColumn } from '../table/columns.ts';
import { createDefaulter } from './defaults.ts';
import type { KindRow } from './rows.ts';

/** What a resource does in addition to the generic strategy. */
export interface KindExtension {
  readonly prepareForCreate?: (draft: Draft) => void;
  readonly prepareForUpdate?: (draft: Draft, old: Fields) => void;
  readonly admit?: Strategy['admit'];
  /** Validates the fields besides the metadata, for creates and updates. */
  readonly validate?: (object: Fields, causes: Causes) => void;
  /** Validates what an update changes. */
  readonly validateUpdate?: (object: Fields, old: Fields, causes: Causes) => void;
  readonly warnings?: (object: Fields, old?: Fields) => readonly string[];
  readonly selectableFields?: FieldReaders;
  /** Replaces or adds the update strategies of subresources. */
  readonly subresources?: Readonly<Record<string, UpdateStrategy>>;
}

/** The columns of a table, each with a function that returns its cell. */
export type TableColumns = readonly (Column & { readonly cell: (object: Fields, now: Date) => Cell })[];

/** Describes a resource by its row, type, defaults and extension. */
export function createKindDescription(
  row: KindRow,
  extension: KindExtension = {},
  tableColumns: TableColumns = defaultColumns,
): Description {
  const { resource, statusResets } = row;
  const type = requireType(row);
  const { prepareForCreate, prepareForUpdate, admit, warnings, selectableFields, subresources } = extension;
  const hasStatus = statusResets !== undefined;
  const validateObject = (object: Fields, causes: Causes): void => {
    validateMetadata(object, { namespaced: resource.namespaced, name: row.name }, causes);
    extension.validate?.(object, causes);
  };
  return {
    resource,
    singular: resource.kind.toLowerCase(),
    shortNames: row.shortNames,
    categories: row.categories,
    type,
    strategy: {
      ...(hasStatus && { resetFields: ['status'] }),
      defaults: createDefaulter(type),
      ...(admit && { admit }),
      prepareForCreate(draft) {
        if (hasStatus) delete draft['status'];
        if (row.generationOf !== undefined) ensureChild(draft, 'metadata')['generation'] = 1;
        prepareForCreate?.(draft);
      },
      prepareForUpdate(draft, old) {
        if (hasStatus) restoreField(draft, old, 'status');
        prepareForUpdate?.(draft, old);
        if (row.generationOf) incrementGeneration(draft, old, row.generationOf);
      },
      validate: validateObject,
      validateUpdate(object, old, causes) {
        validateObject(object, causes);
        validateMetadataUpdate(object, old, {}, causes);
        extension.validateUpdate?.(object, old, causes);
      },
      ...(warnings && { warnings }),
      createOnUpdate: row.createOnUpdate,
      unconditionalUpdate: row.unconditionalUpdate,
    },
    subresources: { ...(hasStatus && { status: createStatusStrategy(statusResets) }), ...subresources },
    selectableFields: { ...metadataFields(resource.namespaced), ...selectableFields },
    columns: tableColumns.map(({ cell: _, ...column }) => column),
    cells: (object, now) => tableColumns.map(({ cell }) => cell(object, now)),
  };
}

function requireType({ resource }: KindRow): StructType {
  const type = kindType(apiVersionOf(resource), resource.kind);
  if (!type) throw new RangeError(`no type of ${apiVersionOf(resource)} ${resource.kind} in the tables`);
  return type;
}

/** The strategy of the status subresource, which cannot change the given fields. */
export const createStatusStrategy = (resetFields: readonly string[]): UpdateStrategy => ({
  resetFields,
  prepareForUpdate(draft, old) {
    for (const path of resetFields) restoreField(draft, old, path);
  },
  validateUpdate: (object, old, causes) => validateMetadataUpdate(object, old, {}, causes),
});

/**
 * Restores the field at a path of one or two names. The metadata as a whole keeps its resourceVersion and managed fields, which belong to the
 * write.
 */
export function restoreField(draft: Draft, old: Fields, path: string): void {
  if (path === 'metadata') {
    const { resourceVersion, managedFields } = child(draft, 'metadata');
    draft['metadata'] = { ...copyOf(child(old, 'metadata')), resourceVersion, managedFields };
    return;
  }
  const [parent = '', name] = path.split('.');
  if (name === undefined) restore(draft, old, parent);
  else restore(ensureChild(draft, parent), child(old, parent), name);
}

function restore(draft: Draft, old: Fields, name: string): void {
  if (old[name] === undefined) delete draft[name];
  else draft[name] = copyOf(old[name]);
}

export function incrementGeneration(draft: Draft, old: Fields, field: string): void {
  if (!sameValue(draft[field], old[field])) ensureChild(draft, 'metadata')['generation'] = number(child(old, 'metadata'), 'generation') + 1;
}

const defaultColumns: TableColumns = [
  { ...nameColumn, cell: (object) => text(child(object, 'metadata'), 'name') },
  { ...ageColumn, cell: (object, now) => ageOf(object, now) },
];
