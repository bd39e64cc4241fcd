import type { ApiObjectMeta } from 'kube-endpoints/port';
import type { ObjectReference } from 'kube-endpoints/types';

export const metadata: ApiObjectMeta = { name: 'a', namespace: 'shop', uid: 'u', resourceVersion: '7' };

/** Metadata that most projections omit. */
export const omittedMetadata: ApiObjectMeta = {
  annotations: { note: 'x' },
  managedFields: [{ manager: 'm' }],
  ownerReferences: [{ kind: 'ReplicaSet', name: 'r' }],
};

/** The metadata that an update sends back. */
export const writableFields: ApiObjectMeta = {
  ...metadata,
  annotations: { note: 'x' },
  ownerReferences: [{ kind: 'ReplicaSet', name: 'r' }],
  generation: 3,
  finalizers: ['f'],
  labels: { team: 'red' },
};

/** Metadata as a server sends it. */
export const serverMetadata: ApiObjectMeta = { ...writableFields, managedFields: [{ manager: 'm' }] };

export const podReference: ObjectReference = { kind: 'Pod', namespace: 'shop', name: 'p', uid: 'u' };
