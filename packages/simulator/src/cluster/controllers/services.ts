import { createSelectorCache, type SelectorCache } from 'kube-endpoints';
import { isPodReady } from 'kube-endpoints/internal';
import { deepEqual, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Pod, Service } from 'kube-endpoints/types';
import type { Change, Queue } from '../../controller/controller.ts';

/** Requires syncs of Services because of changes of Services and Pods, for the controllers of Endpoints and EndpointSlices. */
export function createServiceTriggers(): (change: Change, queue: Queue) => void {
  const selectors = createSelectorCache();
  return (change, queue) => {
    if (change.kind === 'Service') handleService(selectors, change, queue);
    else if (change.kind === 'Pod') for (const key of findAffectedServices(selectors, change)) queue.add(key);
  };
}

function handleService(selectors: SelectorCache, { previous, current }: Change, queue: Queue): void {
  const key = metaNamespaceKey((current ?? previous)?.metadata ?? {});
  if (current) selectors.set(key, current as Service);
  else selectors.delete(key);
  queue.add(key);
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
