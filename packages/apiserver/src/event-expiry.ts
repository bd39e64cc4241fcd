import { resources } from 'kube-endpoints/port';
import { type Clock, createAlarm, type Store } from './store/index.ts';

/**
 * Deletes each Event some time after its last write. As in etcd, where kube-apiserver writes Events with a lease of `--event-ttl`, the
 * deletion ignores finalizers and admission, and watches see it.
 * @param ttl in milliseconds; 0 keeps Events
 * @returns a function that stops it
 */
export function startEventExpiry(store: Store, clock: Clock, ttl: number): () => void {
  if (ttl === 0) return () => undefined;
  /** When each Event expires, in milliseconds since the epoch, by namespace and name. The first entry expires first. */
  const deadlines = new Map<string, number>();
  const schedule = (): void => {
    const [first] = deadlines.values();
    if (first !== undefined) alarm.set(first);
  };
  const alarm = createAlarm(clock, () => {
    const now = clock.now();
    for (const [path, deadline] of deadlines) {
      if (deadline > now) break;
      deadlines.delete(path);
      const [namespace = '', name = ''] = path.split('/');
      store.delete(resources.events, { namespace, name });
    }
    schedule();
  });
  const stopObserving = store.observe(({ resource: { group, plural }, current, previous }) => {
    if (group !== resources.events.group || plural !== resources.events.plural) return;
    const { namespace = '', name = '' } = (current ?? previous)?.metadata ?? {};
    deadlines.delete(`${namespace}/${name}`);
    if (current) deadlines.set(`${namespace}/${name}`, clock.now() + ttl);
    schedule();
  });
  return () => {
    stopObserving();
    alarm.cancel();
  };
}
