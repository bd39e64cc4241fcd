import type { ApiObjectMeta } from 'kube-endpoints/port';
import type { ObjectReference } from 'kube-endpoints/types';

export const metadata: ApiObjectMeta = { name: 'a', namespace: 'shop', uid: 'u', resourceVersion: '7' };

/** Metadata that most projections omit. */
export const more: ApiObjectMeta = {
  annotations: { note: 'x' },
  managedFields: [{ manager: 'm' }],
  ownerReferences: [{ kind: 'ReplicaSet', name: 'r' }],
};

/** The metadata that an update sends back. */
export const sentBack: ApiObjectMeta = {
  ...metadata,
  annotations: { note: 'x' },
  ownerReferences: [{ kind: 'ReplicaSet', name: 'r' }],
  generation: 3,
  finalizers: ['f'],
  labels: { team: 'red' },
};

/** The same object as a server sends it. */
export const served: ApiObjectMeta = { ...sentBack, managedFields: [{ manager: 'm' }] };

export const target: ObjectReference = { kind: 'Pod', namespace: 'shop', name: 'p', uid: 'u' };
