import { findTypeProblem, findWrongType } from '../analysis/check-types.ts';
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
  requireNone(findTypeProblem(versions[kind], kind, object), kind, place);
}

/** @throws RecordingError naming the field if a field has the wrong type */
export function checkRequest(request: unknown, kind: RecordedKind, effect: Effect, place: Place): void {
  const [version, requestKind] = requestTypes[effect] ?? [versions[kind], kind];
  // A list is a JSON patch.
  if (isFields(request)) requireNone(findWrongType(version, requestKind, request), requestKind, place);
}

function requireNone(problem: string | undefined, kind: string, place: Place): void {
  if (problem !== undefined) throw new RecordingError(`${place}: this is not a valid ${kind}: ${problem}`);
}
