import { canonicalIP, matcherOf } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Pod, Service } from 'kube-endpoints/types';
import { createIndex, type Source } from './object-index.ts';

/** What is known of pods, found as rules for endpoints need it. */
export interface PodDirectory {
  /**
   * Those that a Service selects, and those that have an address of the object, in whichever namespace: of an address that is a pod's of
   * another namespace rules may want to know.
   */
  podsOf(object: EndpointsInput | EndpointSliceInput, service: Service | undefined): readonly Pod[];
}

export function createPodDirectory(source: Source<Pod>): PodDirectory {
  const byNamespace = createIndex(source, ({ metadata }) => [metadata?.namespace ?? '']);
  const byAddress = createIndex(source, ipsOf);
  return {
    podsOf(object, service) {
      const matches = matcherOf(service?.spec?.selector);
      const selected = [...byNamespace.get(object.metadata?.namespace ?? '')].filter(({ metadata }) => matches(metadata?.labels));
      const found = new Set(selected);
      for (const address of addressesOf(object)) for (const pod of byAddress.get(address)) found.add(pod);
      return [...found];
    },
  };
}

const ipsOf = ({ status }: Pod): readonly string[] => canonical([status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)]);

function addressesOf(object: EndpointsInput | EndpointSliceInput): readonly string[] {
  if ('endpoints' in object) return canonical((object.endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));
  const { subsets } = object as EndpointsInput;
  return canonical(
    (subsets ?? []).flatMap((subset) => [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])]).map(({ ip }) => ip),
  );
}

/** One address may be written in several ways. */
const canonical = (texts: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => (text ? (canonicalIP(text) ?? []) : []))),
];
