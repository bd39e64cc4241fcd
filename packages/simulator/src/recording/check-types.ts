import { findDecodeProblem, kindType } from '@kube-endpoints/apiserver/internal';
import { type Fields, isFields } from './fields.ts';
import type { Effect } from './raw-write.ts';
import { type Place, type RecordedKind, RecordingError } from './types.ts';

/** The versions whose field types an object must have, whatever version it is of. */
const versions: Readonly<Record<RecordedKind | 'Event', string>> = {
  Service: 'v1',
  Pod: 'v1',
  Endpoints: 'v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  Node: 'v1',
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  Event: 'v1',
};

/** The types of requests that are not objects of the kind that they write. */
const requestTypes: Readonly<Partial<Record<Effect, readonly [version: string, kind: string]>>> = {
  scale: ['autoscaling/v1', 'Scale'],
  bind: ['v1', 'Binding'],
  evict: ['policy/v1', 'Eviction'],
  delete: ['meta.k8s.io/v1', 'DeleteOptions'],
};

/** @throws RecordingError naming the field if a field has the wrong type, or an item of a list is null */
export function checkObject(object: Fields, kind: RecordedKind | 'Event', place: Place): void {
  checkType(versions[kind], kind, object, place);
  requireItems(object, '', place);
}

/** @throws RecordingError naming the field if a field has the wrong type */
export function checkRequest(request: unknown, kind: RecordedKind, effect: Effect, place: Place): void {
  const [version, requestKind] = requestTypes[effect] ?? [versions[kind], kind];
  // A list is a JSON patch.
  if (isFields(request)) checkType(version, requestKind, request, place);
}

function checkType(version: string, kind: string, value: Fields, place: Place): void {
  const type = kindType(version, kind);
  const problem = type && findDecodeProblem(type, value);
  if (problem !== undefined) throw new RecordingError(`${place}: this is not a valid ${kind}: ${problem}`);
}

function requireItems(value: unknown, path: string, place: Place): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, field] of Object.entries(value)) {
    const fieldPath = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    if (field === null && Array.isArray(value)) throw new RecordingError(`${place}: ${fieldPath}: give a value instead of null`);
    requireItems(field, fieldPath, place);
  }
}
