import { scanQuantity } from 'kube-endpoints/internal/apimachinery';
import type { Resource } from 'kube-endpoints/port';
import { child, type Fields, has, list, number, text } from '../resources/field/read.ts';
import { nanosOf } from '../resources/field/resource-list.ts';
import { aggregateResources } from '../resources/pods/defaults/pod-resources.ts';

/** Billionths by resource name, as in the `hard` of a ResourceQuota. */
export type Usage = ReadonlyMap<string, bigint>;

const unit = 1_000_000_000n;

/** "pods", "deployments.apps". */
export const groupResourceOf = ({ group, plural }: Pick<Resource, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`;

/**
 * The usage of an object that quotas count. Mirrors the evaluators in pkg/quota/v1/evaluator/core (1.36), without device claims.
 * @param now milliseconds since the epoch: a pod whose grace period has ended uses nothing
 */
export function usageOf(groupResource: string, object: Fields, now: number): Usage {
  const usage = new Map<string, bigint>([[`count/${groupResource}`, unit]]);
  const add = evaluators[groupResource];
  if (add) add(object, (name, nanos) => usage.set(name, nanos), now);
  else if (countedNames.has(groupResource)) usage.set(groupResource, unit);
  return usage;
}

/** Resources that quotas also count by their plain name. */
const countedNames: ReadonlySet<string> = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

type Evaluator = (object: Fields, set: (name: string, nanos: bigint) => void, now: number) => void;

const evaluators: Readonly<Record<string, Evaluator>> = {
  pods(pod, set, now) {
    if (isFinished(pod, now)) return;
    set('pods', unit);
    const requests = totalsOf(pod, 'requests');
    for (const [name, nanos] of requests) {
      if (isComputeResource(name) || name.startsWith('hugepages-')) set(name, nanos);
      if (isComputeResource(name) || name.startsWith('hugepages-') || name.includes('/')) set(`requests.${name}`, nanos);
    }
    for (const [name, nanos] of totalsOf(pod, 'limits')) if (isComputeResource(name)) set(`limits.${name}`, nanos);
  },
  services(service, set) {
    const spec = child(service, 'spec');
    const [type, ports] = [text(spec, 'type'), list(spec, 'ports')];
    const allocates = type === 'NodePort' || (type === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
    const nodePorts = allocates
      ? ports.length
      : type === 'LoadBalancer'
        ? ports.filter((port) => number(port, 'nodePort') !== 0).length
        : 0;
    set('services', unit);
    set('services.loadbalancers', type === 'LoadBalancer' ? unit : 0n);
    set('services.nodeports', BigInt(nodePorts) * unit);
  },
  persistentvolumeclaims(claim, set) {
    const spec = child(claim, 'spec');
    const storageClass =
      text(child(child(claim, 'metadata'), 'annotations'), 'volume.beta.kubernetes.io/storage-class') || text(spec, 'storageClassName');
    const storage = child(child(spec, 'resources'), 'requests')['storage'];
    for (const prefix of storageClass === '' ? [''] : ['', `${storageClass}.storageclass.storage.k8s.io/`]) {
      set(`${prefix}persistentvolumeclaims`, unit);
      if (storage !== undefined) set(`${prefix}requests.storage`, nanosOf(String(storage)));
    }
  },
};

export const isComputeResource = (name: string): boolean => name === 'cpu' || name === 'memory' || name === 'ephemeral-storage';

function isFinished(pod: Fields, now: number): boolean {
  if (['Failed', 'Succeeded'].includes(text(child(pod, 'status'), 'phase'))) return true;
  const metadata = child(pod, 'metadata');
  const graceMs = number(metadata, 'deletionGracePeriodSeconds') * 1000;
  return has(metadata, 'deletionTimestamp') && now > Date.parse(text(metadata, 'deletionTimestamp')) + graceMs;
}

/** The totals of all containers with the overhead; amounts of the pod itself replace those of its containers. */
function totalsOf(pod: Fields, section: 'requests' | 'limits'): Usage {
  const spec = child(pod, 'spec');
  const totals = new Map([...aggregateResources(spec, section)].map(([name, { nanos }]) => [name, nanos]));
  for (const [name, value] of Object.entries(child(child(spec, 'resources'), section))) totals.set(name, nanosOf(String(value)));
  for (const [name, value] of Object.entries(child(spec, 'overhead'))) {
    if (section === 'requests' || totals.has(name)) totals.set(name, (totals.get(name) ?? 0n) + nanosOf(String(value)));
  }
  return totals;
}

/** Whether a quota's resource name counts objects of a resource. */
export function countsResource(name: string, groupResource: string): boolean {
  if (name === `count/${groupResource}`) return true;
  if (groupResource === 'pods')
    return name === 'pods' || podResource.test(name) || name.startsWith('requests.hugepages-') || /^requests\.[^/]+\//.test(name);
  if (groupResource === 'services') return name === 'services' || name.startsWith('services.');
  if (groupResource === 'persistentvolumeclaims') return /(^|\/)(persistentvolumeclaims|requests\.storage)$/.test(name);
  return countedNames.has(groupResource) && name === groupResource;
}

const podResource = /^(?:(?:requests\.|limits\.)?(?:cpu|memory|ephemeral-storage)|hugepages-.*)$/;

/** The format of the first quantity that is not zero, for printing sums. */
export function formatOf(...quantities: readonly string[]): 'decimal' | 'exponent' | 'binary' {
  for (const quantity of quantities) {
    const scanned = scanQuantity(quantity);
    if (typeof scanned !== 'string' && nanosOf(quantity) !== 0n) return scanned.format;
  }
  return 'decimal';
}
