import { ApiError, type ApiObject, type Status, type WatchEvent } from 'kube-endpoints/port';

/** A watch's event that can be taken in. */
export interface ReadEvent {
  readonly type: WatchEvent['type'];
  readonly object: ApiObject;
  readonly version: string;
}

/**
 * Looks whether an event is one. Undefined: it has no version, no name or a type of which nothing is known, so that what it was to
 * tell is lost.
 * @throws ApiError where it is an error's, which most ports throw themselves
 */
export function readEvent(event: WatchEvent): ReadEvent | undefined {
  const { type, object } = event as { readonly type: string; readonly object?: Partial<ApiObject> };
  if (type === 'ERROR') throw errorOf(object);
  const version = object?.metadata?.resourceVersion;
  const isKnown = type === 'BOOKMARK' || (changes.includes(type) && !!object?.metadata?.name);
  return version && isKnown ? { type: event.type, object: event.object, version } : undefined;
}

/** Whether an event says that all objects have been told that a watch began with. */
export const isInitialEnd = ({ type, object }: ReadEvent): boolean =>
  type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';

const changes: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED'];

function errorOf(object: unknown): Error {
  const status = object as Partial<Status> | undefined;
  return typeof status?.code === 'number' ? new ApiError(status as Status) : new Error(`the watch failed: ${JSON.stringify(object)}`);
}
