import { type ApiObject, resources } from 'kube-endpoints/port';
import { type Clock, createAlarm, type Store } from './store/index.ts';

/** Maximum number of Events that are deleted without a pause. */
const maxDeletions = 1000;
/** Milliseconds before a deletion that could not be saved is retried. */
const retryDelayMs = 8000;

/**
 * Deletes each Event some time after its last write. As in etcd, where kube-apiserver writes Events with a lease of `--event-ttl`, the
 * deletion ignores finalizers and admission, and watches see it.
 * @param ttl in milliseconds; 0 keeps Events
 * @returns a function that stops it
 */
export function startEventExpiry(store: Store, clock: Clock, ttl: number): () => void {
  if (ttl === 0) return () => undefined;
  const deadlines = listDeadlines(store, clock, ttl);
  const schedule = (): void => {
    const [first] = deadlines.values();
    if (first !== undefined) alarm.set(first);
  };
  const alarm = createAlarm(clock, () => {
    deleteExpired(store, deadlines, clock.now());
    const saving = store.waitUntilSaved();
    if (saving) saving.then(schedule, () => alarm.set(clock.now() + retryDelayMs));
    else schedule();
  });
  const stopObserving = store.observe(({ resource: { group, plural }, current, previous }) => {
    if (group !== resources.events.group || plural !== resources.events.plural) return;
    const path = pathOf((current ?? previous) as ApiObject);
    deadlines.delete(path);
    if (current) deadlines.set(path, clock.now() + ttl);
    schedule();
  });
  schedule();
  return () => {
    stopObserving();
    alarm.cancel();
  };
}

/** When each Event expires, in milliseconds since the epoch, by namespace and name. The first entry expires first. */
type Deadlines = Map<string, number>;

/** The deadlines of stored Events. Their last write is the newest time that they contain. */
function listDeadlines(store: Store, clock: Clock, ttl: number): Deadlines {
  const deadlines = store.list(resources.events).items.map((event) => [pathOf(event), lastWriteOf(event, clock.now()) + ttl] as const);
  return new Map(deadlines.sort(([, a], [, b]) => a - b));
}

function lastWriteOf(event: ApiObject, now: number): number {
  const { metadata, lastTimestamp, eventTime, series } = event as EventTimes;
  const managedFields = (metadata.managedFields ?? []) as readonly { readonly time?: string }[];
  const writtenTimes = [metadata.creationTimestamp, lastTimestamp, eventTime, series?.lastObservedTime];
  const times = [...writtenTimes, ...managedFields.map(({ time }) => time)]
    .map((time) => Date.parse(time ?? ''))
    .filter((time) => time <= now);
  return times.length === 0 ? now : Math.max(...times);
}

/** The fields of an Event that a write usually sets to the current time. */
interface EventTimes extends ApiObject {
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly series?: { readonly lastObservedTime?: string };
}

/** Deletes Events. Their deadlines are removed by the observer. */
function deleteExpired(store: Store, deadlines: Deadlines, now: number): void {
  let count = 0;
  for (const [path, deadline] of deadlines) {
    if (deadline > now || count === maxDeletions) return;
    const [namespace = '', name = ''] = path.split('/');
    if (!store.find(resources.events, { namespace, name })) continue;
    store.delete(resources.events, { namespace, name });
    count += 1;
  }
}

const pathOf = ({ metadata: { namespace = '', name = '' } }: ApiObject): string => `${namespace}/${name}`;
