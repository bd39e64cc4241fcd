import { createSelectorCache, type PodFeed, type SelectorCache } from 'kube-endpoints';
import { isPodReady } from 'kube-endpoints/internal';
import { deepEqual, metaNamespaceKey, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Pod, Service } from 'kube-endpoints/types';
import type { Cache, Change, Queue } from '../../controller/controller.ts';

/** The Services that changes require to be synced, and the pods of each Service with their changes since its last sync. */
export interface ServicePods {
  /** Requires syncs because of a change of a Service or Pod. */
  handle(change: Change, queue: Queue): void;
  /** The pods of a Service for its next sync. */
  takeFeed(key: string): PodFeed;
}

export function createServicePods(cache: Cache): ServicePods {
  const selectors = createSelectorCache();
  const changes = new Map<string, Map<string, Pod | undefined>>();
  const recordPod = ({ previous, current }: Change): void => {
    const after = current ? selectors.servicesFor(current as Pod) : [];
    const name = (current ?? previous)?.metadata.name ?? '';
    for (const key of previous ? selectors.servicesFor(previous as Pod) : [])
      if (!after.includes(key)) changes.get(key)?.set(name, undefined);
    for (const key of after) changes.get(key)?.set(name, current as Pod);
  };
  const recordService = ({ previous, current }: Change): void => {
    const { namespace, name = '' } = (current ?? previous)?.metadata ?? {};
    const key = metaNamespaceKey({ namespace, name });
    const isSameSelector = previous && current && deepEqual((previous as Service).spec?.selector, (current as Service).spec?.selector);
    if (current) selectors.set(key, current as Service);
    else selectors.delete(key);
    if (isSameSelector || !previous) return;
    for (const pod of cache.list('Pod', namespace) as readonly Pod[])
      changes.get(key)?.set(pod.metadata?.name ?? '', selectors.servicesFor(pod).includes(key) ? pod : undefined);
  };
  return {
    handle(change, queue) {
      if (change.kind === 'Service') {
        recordService(change);
        queue.add(metaNamespaceKey((change.current ?? change.previous)?.metadata ?? {}));
      } else if (change.kind === 'Pod') {
        recordPod(change);
        for (const key of findAffectedServices(selectors, change)) queue.add(key);
      }
    },
    takeFeed(key) {
      const since = changes.get(key) ?? new Map<string, Pod | undefined>();
      changes.set(key, new Map());
      const { namespace } = splitMetaNamespaceKey(key);
      const all = (): readonly Pod[] =>
        (cache.list('Pod', namespace) as readonly Pod[]).filter((pod) => selectors.servicesFor(pod).includes(key));
      return { changes: since, all };
    },
  };
}

/** Mirrors `GetServicesToUpdateOnPodChange` (1.36, endpointslice/util/controller_utils.go). */
function findAffectedServices(selectors: SelectorCache, change: Change): readonly string[] {
  const [previous, current] = [change.previous, change.current] as readonly (Pod | undefined)[];
  if (!previous || !current) return selectors.servicesFor((current ?? previous) as Pod);
  const haveLabelsChanged = !deepEqual(previous.metadata?.labels ?? {}, current.metadata?.labels ?? {});
  const isChanged = haveEndpointsChanged(previous, current);
  if (!isChanged && !haveLabelsChanged) return [];
  const services = selectors.servicesFor(current);
  if (!haveLabelsChanged) return services;
  const former = selectors.servicesFor(previous);
  if (isChanged) return [...new Set([...services, ...former])];
  return [...services.filter((key) => !former.includes(key)), ...former.filter((key) => !services.includes(key))];
}

/** Whether an update of a Pod changes its endpoint. Mirrors `podEndpointsChanged` (1.36, endpointslice/util/controller_utils.go). */
function haveEndpointsChanged(previous: Pod, current: Pod): boolean {
  if (!!previous.metadata?.deletionTimestamp !== !!current.metadata?.deletionTimestamp) return true;
  if (isPodReady(previous) !== isPodReady(current)) return true;
  return !deepEqual(endpointFieldsOf(previous), endpointFieldsOf(current));
}

const endpointFieldsOf = ({ spec, status }: Pod): readonly unknown[] => [
  status?.podIP ?? '',
  status?.podIPs ?? [],
  spec?.nodeName ?? '',
  spec?.hostname ?? '',
  spec?.subdomain ?? '',
  ['Failed', 'Succeeded'].includes(status?.phase ?? ''),
];
