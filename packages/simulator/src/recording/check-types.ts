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

/** Returns the object without fields that are null. @throws RecordingError naming the field if a field has the wrong type */
export function checkObject(object: Fields, kind: RecordedKind | 'Event', place: Place): Fields {
  checkType(versions[kind], kind, object, place);
  return withoutNull(object, '', place) as Fields;
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

function withoutNull(value: unknown, path: string, place: Place): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => {
      if (item === null) throw new RecordingError(`${place}: ${path}[${index}]: give a value instead of null`);
      return withoutNull(item, `${path}[${index}]`, place);
    });
  if (!isFields(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNull(field, path === '' ? name : `${path}.${name}`, place)]));
}
