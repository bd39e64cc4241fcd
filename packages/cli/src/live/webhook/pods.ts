import { createLabelMatcher } from 'kube-endpoints/internal';
import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSliceInput, EndpointsInput, Pod, Service } from 'kube-endpoints/types';

/** Finds the pods that rules may need. */
export interface PodDirectory {
  /** The pods that the Service selects, and the pods of any namespace that have an address of the object. */
  podsOf(object: EndpointsInput | EndpointSliceInput, service: Service | undefined): readonly Pod[];
}

export function createPodDirectory(source: ObjectSource<Pod>): PodDirectory {
  const podsByNamespace = createObjectIndex(source, ({ metadata }) => [metadata?.namespace ?? '']);
  const podsByAddress = createObjectIndex(source, ipsOf);
  return {
    podsOf(object, service) {
      const matches = createLabelMatcher(service?.spec?.selector);
      const selectedPods = [...podsByNamespace.get(object.metadata?.namespace ?? '')].filter(({ metadata }) => matches(metadata?.labels));
      const pods = new Set(selectedPods);
      for (const address of addressesOf(object)) for (const pod of podsByAddress.get(address)) pods.add(pod);
      return [...pods];
    },
  };
}

const ipsOf = ({ status }: Pod): readonly string[] => canonicalAddresses([status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)]);

function addressesOf(object: EndpointsInput | EndpointSliceInput): readonly string[] {
  if ('endpoints' in object) return canonicalAddresses((object.endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));
  const { subsets } = object as EndpointsInput;
  return canonicalAddresses(
    (subsets ?? []).flatMap((subset) => [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])]).map(({ ip }) => ip),
  );
}

/** Canonical addresses without duplicates: one address may be written in several ways. */
const canonicalAddresses = (texts: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => (text ? (canonicalIP(text) ?? []) : []))),
];

/** Objects grouped by a shared value. */
export interface ObjectIndex<T> {
  get(group: string): Iterable<T>;
}

/** Reports the existing objects, then objects that are added, updated or deleted. */
export interface ObjectSource<T> {
  listen(listener: (event: { readonly type: string; readonly object: T; readonly old?: T | undefined }, key: string) => void): unknown;
}

/** @param groupsOf the values that an object is indexed under */
export function createObjectIndex<T>(source: ObjectSource<T>, groupsOf: (object: T) => readonly string[]): ObjectIndex<T> {
  const groups = new Map<string, Map<string, T>>();
  const remove = (key: string, object: T): void => {
    for (const name of groupsOf(object)) {
      const group = groups.get(name);
      group?.delete(key);
      if (group?.size === 0) groups.delete(name);
    }
  };
  const add = (key: string, object: T): void => {
    for (const name of groupsOf(object)) {
      const group = groups.get(name);
      if (group) group.set(key, object);
      else groups.set(name, new Map([[key, object]]));
    }
  };
  source.listen(({ type, object, old }, key) => {
    remove(key, old ?? object);
    if (type !== 'deleted') add(key, object);
  });
  return { get: (name) => groups.get(name)?.values() ?? [] };
}

/** Creates a source of a fixed set of objects. */
export const createFixedSource = <T>(objects: readonly T[]): ObjectSource<T> => ({
  listen(listener) {
    for (const [key, object] of objects.entries()) listener({ type: 'added', object }, String(key));
  },
});
