import type { ApiObject, ApiObjectMeta, ObjectKey } from 'kube-endpoints/port';

type MetadataChange = { readonly [Field in keyof ApiObjectMeta]?: ApiObjectMeta[Field] | undefined };

/** Copies an object with changed metadata. A value of undefined removes the field. */
export function withMetadata(object: ApiObject, change: MetadataChange): ApiObject {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return { ...object, metadata };
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
}

export const ownersOf = ({ metadata }: ApiObject): readonly OwnerReference[] =>
  (metadata.ownerReferences ?? []) as unknown as readonly OwnerReference[];

export const isBeingDeleted = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

export const hasFinalizer = ({ metadata }: ApiObject, finalizer: string): boolean => metadata.finalizers?.includes(finalizer) ?? false;

/** The finalizers of the garbage collector: `FinalizerOrphanDependents` and `FinalizerDeleteDependents`. */
export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

/** The key of an object, from its metadata or a request. */
export const keyOf = ({
  namespace,
  name = '',
}: {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}): ObjectKey => (namespace ? { namespace, name } : { name });
