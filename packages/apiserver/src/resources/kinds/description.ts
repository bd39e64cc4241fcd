import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { kindTypeName, type StructType, structType } from '../../api-types/index.ts';
import { type Description, type FieldReaders, metadataFields, type Strategy, type UpdateStrategy } from '../description.ts';
import type { Causes } from '../field/causes.ts';
import { child, copyOf, type Draft, ensureChild, type Fields, number, sameValue } from '../field/read.ts';
import { validateMetadata, validateMetadataUpdate } from '../metadata/validate.ts';
import { dropDisabledFields } from '../pods/prepare.ts';
import { readFields, type TableColumns } from '../table/columns.ts';
import { createDefaulter } from './defaults.ts';
import type { KindRow } from './rows.ts';

/** What a resource does in addition to the generic strategy. */
export interface KindExtension {
  /** Converts to the version that `validate`, `validateUpdate` and tables read. */
  readonly internal?: (object: Fields) => Fields;
  readonly prepareForCreate?: (draft: Draft) => void;
  readonly prepareForUpdate?: (draft: Draft, old: Fields) => void;
  readonly admit?: Strategy['admit'];
  /** Validates the fields besides the metadata, for creates and updates. */
  readonly validate?: (object: Fields, causes: Causes) => void;
  /** Validates in addition what only a new object must satisfy. */
  readonly validateCreate?: (object: Fields, causes: Causes) => void;
  /** Validates the status, when it is written. */
  readonly validateStatus?: (object: Fields, old: Fields, causes: Causes) => void;
  /** Validates what an update changes. */
  readonly validateUpdate?: (object: Fields, old: Fields, causes: Causes) => void;
  readonly warnings?: (object: Fields, old?: Fields) => readonly string[];
  readonly selectableFields?: FieldReaders;
  /** Replaces or adds the update strategies of subresources. */
  readonly subresources?: Readonly<Record<string, UpdateStrategy>>;
}

/** Describes a resource by its row, type, defaults and extension. */
export function createKindDescription(row: KindRow, extension: KindExtension, tableColumns: TableColumns): Description {
  const { resource, statusResets } = row;
  const { selectableFields, subresources, internal = keepVersion } = extension;
  const type = structType(kindTypeName(apiVersionOf(resource), resource.kind));
  return {
    resource,
    singular: resource.kind.toLowerCase(),
    shortNames: row.shortNames,
    categories: row.categories,
    type,
    strategy: createStrategy(row, type, extension),
    subresources: { ...(statusResets && { status: createStatusStrategy(statusResets, extension.validateStatus) }), ...subresources },
    selectableFields: { ...metadataFields(resource.namespaced), ...selectableFields },
    columns: tableColumns.filter(({ name }) => name !== '').map(({ cell: _, ...column }) => column),
    cells(object, now) {
      const shown = internal(object);
      return tableColumns.map(({ cell }) => cell(shown, now));
    },
  };
}

function createStrategy(row: KindRow, type: StructType, extension: KindExtension): Strategy {
  const { resource, statusResets } = row;
  const { prepareForCreate, prepareForUpdate, admit, warnings, internal = keepVersion } = extension;
  const hasStatus = statusResets !== undefined;
  const validateObject = (object: Fields, causes: Causes): void => {
    validateMetadata(object, { namespaced: resource.namespaced, name: row.name }, causes);
    extension.validate?.(internal(object), causes);
  };
  return {
    ...(hasStatus && { resetFields: ['status'] }),
    defaults: createDefaulter(type),
    ...(admit && { admit }),
    prepareForCreate(draft) {
      if (hasStatus) delete draft['status'];
      if (row.generationOf !== undefined) ensureChild(draft, 'metadata')['generation'] = 1;
      dropTemplateFields(resource.kind, draft, {});
      prepareForCreate?.(draft);
    },
    prepareForUpdate(draft, old) {
      if (hasStatus) restoreField(draft, old, 'status');
      dropTemplateFields(resource.kind, draft, old);
      prepareForUpdate?.(draft, old);
      if (row.generationOf) incrementGeneration(draft, old, row.generationOf);
    },
    validate(object, causes) {
      validateObject(object, causes);
      extension.validateCreate?.(internal(object), causes);
    },
    validateUpdate(object, old, causes) {
      validateObject(object, causes);
      validateMetadataUpdate(object, old, {}, causes);
      extension.validateUpdate?.(internal(object), internal(old), causes);
    },
    ...(warnings && { warnings }),
    createOnUpdate: row.createOnUpdate,
    unconditionalUpdate: row.unconditionalUpdate,
  };
}

/** The path of the pod template by kind. */
const templatePaths: Readonly<Record<string, string>> = {
  CronJob: 'spec.jobTemplate.spec.template',
  PodTemplate: 'template',
  ...Object.fromEntries(
    ['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'ReplicationController', 'StatefulSet'].map((kind) => [kind, 'spec.template']),
  ),
};

function dropTemplateFields(kind: string, draft: Draft, old: Fields): void {
  const path = templatePaths[kind];
  const spec = path === undefined ? undefined : readFields(draft, `${path}.spec`);
  if (spec) dropDisabledFields(spec as Draft, readFields(old, `${path}.spec`) ?? {});
}

const keepVersion = (object: Fields): Fields => object;

/** The strategy of the status subresource, which cannot change the given fields. */
export const createStatusStrategy = (resetFields: readonly string[], validateStatus?: KindExtension['validateStatus']): UpdateStrategy => ({
  resetFields,
  prepareForUpdate(draft, old) {
    for (const path of resetFields) restoreField(draft, old, path);
  },
  validateUpdate(object, old, causes) {
    validateMetadataUpdate(object, old, {}, causes);
    validateStatus?.(object, old, causes);
  },
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
