import { type ClusterZone, createClusterZone, type DnsConfig, type DnsObjects } from 'kube-endpoints/dns';
import { type DnsNamespace, type DnsService, formatCount } from 'kube-endpoints/internal';
import { newest } from 'kube-endpoints/versions';
import { UsageError } from '../base/io.ts';
import type { ZoneFlags } from '../flags/zone.ts';
import type { Inventory } from '../input/collection.ts';
import { computeInputEndpoints, computeInputSlices, createComputedSlicesHint } from '../input/computed-slices.ts';

/** The objects for DNS records, and hints about them. */
export interface DnsInput {
  readonly objects: DnsObjects;
  readonly hints: readonly string[];
}

/**
 * Selects the objects that DNS names refer to. If the files hold no slices, computes the slices that the controllers would write, from pods
 * or from manually managed Endpoints.
 * @param live whether the input comes from a cluster, where absent slices do not exist
 */
export function createDnsInput(inventory: Inventory, live: boolean): DnsInput {
  const { pods, namespaces, slices, servicesWithPlaceholderIP } = inventory;
  // The input was validated when it was read, so the objects have these types.
  const services = inventory.services as readonly DnsService[];
  const areSlicesComputed = !live && slices.length === 0 && services.length > 0;
  return {
    objects: {
      services,
      pods,
      namespaces: [...namespaces, ...builtInNamespaces],
      // Read by releases of CoreDNS that do not read slices.
      endpoints: live ? inventory.endpoints : computeInputEndpoints(inventory, {}),
      endpointSlices: areSlicesComputed ? computeInputSlices(inventory, {}) : slices,
    },
    hints: [
      ...(servicesWithPlaceholderIP.size > 0
        ? [`The input lacks the cluster IP of ${formatCount(servicesWithPlaceholderIP.size, 'Service')}: a placeholder address is used.`]
        : []),
      ...(areSlicesComputed && (pods.length > 0 || inventory.endpoints.length > 0) ? [createComputedSlicesHint(newest)] : []),
    ],
  };
}

/** Selects the objects in one namespace, and its Namespace. */
export function filterByNamespace(
  { services = [], endpointSlices = [], endpoints = [], pods = [], namespaces = [] }: DnsObjects,
  namespace: string,
): DnsObjects {
  const isInNamespace = ({ metadata }: DnsNamespace): boolean => metadata?.namespace === namespace;
  return {
    services: [...services].filter(isInNamespace),
    endpointSlices: [...endpointSlices].filter(isInNamespace),
    endpoints: [...endpoints].filter(isInNamespace),
    pods: [...pods].filter(isInNamespace),
    namespaces: [...namespaces].filter(({ metadata }) => metadata?.name === namespace),
  };
}

/** Namespaces that every API server creates. */
const builtInNamespaces: readonly DnsNamespace[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'].map((name) => ({
  metadata: { name },
}));

/** Creates a zone from flags. @throws UsageError if flags exclude each other, or if an object cannot have a DNS name */
export function createZoneFromFlags(
  flags: ZoneFlags,
  objects: DnsObjects,
  options: { readonly localIPs?: readonly string[]; readonly now?: () => number } = {},
): ClusterZone {
  const { localIPs, now } = options;
  try {
    return createClusterZone({ ...configOf(flags), ...(localIPs && { localIPs }) }, { objects, ...(now && { now }) });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

const configOf = ({ zone, pods, ttl, coredns, endpointPodNames, ignoreEmptyService }: ZoneFlags): DnsConfig => ({
  zones: [zone, 'in-addr.arpa', 'ip6.arpa'],
  pods,
  ttl,
  endpointPodNames,
  ignoreEmptyService,
  ...(coredns !== undefined && { release: coredns.replace(/^v/, '') }),
});
